#include "workloads/command/reading/lists.hpp"

#include "workloads/interface/trial/split.hpp"

namespace retrial::workloads::command::inline reading {

std::string trimmed(const std::string& text) {
  return std::string(workloads::trimmed(text, " \t\r\n"));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines = workloads::split(text, '\n', " \t\r\n");
  std::erase(lines, "");
  return lines;
}

}  // namespace retrial::workloads::command::inline reading
