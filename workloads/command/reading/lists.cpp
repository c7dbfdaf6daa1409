#include "workloads/command/reading/lists.hpp"

namespace retrial::workloads::command::inline reading {

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from <= text.size();) {
    const auto end = std::min(text.find('\n', from), text.size());
    if (auto line = trimmed(text.substr(from, end - from)); !line.empty()) lines.push_back(std::move(line));
    from = end + 1;
  }
  return lines;
}

}  // namespace retrial::workloads::command::inline reading
