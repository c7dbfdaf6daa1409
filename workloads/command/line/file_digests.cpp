#include <fnmatch.h>
#include <algorithm>

#include "results/digest/sha256.hpp"
#include "results/text/text.hpp"
#include "workloads/command/line/command_line.hpp"
#include "workloads/command/reading/lists.hpp"

namespace retrial::workloads::command::inline line {

namespace {

constexpr std::size_t max_files = 1000;

/// Regular files below the folder, links not followed, as relative paths in byte order.
std::vector<std::string> files_below(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.symlink_status().type() == std::filesystem::file_type::regular)
      files.push_back(entry.path().lexically_relative(folder).generic_string());
  std::sort(files.begin(), files.end());
  return files;
}

bool matches(const std::string& glob, const std::string& file) {
  return ::fnmatch(glob.c_str(), file.c_str(), 0) == 0;
}

void check_name(const std::string& name) {
  if (results::one_line(name, name.size()) != name)
    throw TrialFailure("command.file_name",
                       "\"" + results::one_line(name, 200) + "\" cannot be stored: not printable UTF-8");
}

void check_every_glob(const std::vector<std::string>& globs, const std::vector<std::string>& files) {
  for (const auto& glob : globs)
    if (std::none_of(files.begin(), files.end(), [&](const std::string& file) { return matches(glob, file); }))
      throw TrialFailure("command.no_file", "no file below {out} matches \"" + glob + "\"");
}

}  // namespace

std::vector<results::DigestValue> file_digests(const std::filesystem::path& out, const std::string& globs) {
  const auto wanted = lines_of(globs);
  if (wanted.empty()) return {};
  const auto files = files_below(out);
  check_every_glob(wanted, files);
  std::vector<results::DigestValue> digests;
  for (const auto& file : files) {
    if (std::none_of(wanted.begin(), wanted.end(), [&](const std::string& glob) { return matches(glob, file); }))
      continue;
    check_name(file);
    if (digests.size() == max_files)
      throw TrialFailure("command.too_many_files", "more than " + std::to_string(max_files) + " files match --digest");
    digests.push_back({.name = file, .algo = "sha256", .hex = results::hex(results::sha256_file(out / file))});
  }
  return digests;
}

}  // namespace retrial::workloads::command::inline line
