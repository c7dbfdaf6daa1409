#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "workloads/command/process/process.hpp"

namespace retrial::workloads::command::inline process {

bool is_regular(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored);
}

std::vector<std::filesystem::path> search_path() {
  std::vector<std::filesystem::path> folders;
  const char* set = std::getenv("PATH");
  const std::string path = set ? set : "/bin:/usr/bin";
  for (std::size_t from = 0; from <= path.size();) {
    const auto end = std::min(path.find(':', from), path.size());
    folders.emplace_back(path.substr(from, end - from));
    from = end + 1;
  }
  return folders;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) variables.emplace_back(*entry);
  return variables;
}

std::optional<std::filesystem::path> program_file(const std::string& name, const std::filesystem::path& workdir) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string::npos) {
    const auto file = workdir / name;
    return is_regular(file) ? std::optional(file) : std::nullopt;
  }
  for (const auto& folder : search_path()) {
    const auto file = workdir / folder / name;
    if (is_regular(file) && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

}  // namespace retrial::workloads::command::inline process
