#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace retrial::workloads::command::inline reading {

/// A JSON file that a program must write. Construct it before the program starts, so that a file left by another trial
/// is not taken for its result.
class JsonFile {
 public:
  explicit JsonFile(std::filesystem::path file);
  /// Its contents. Throws TrialFailure command.no_json (missing or unchanged) or command.bad_json (more than 16 MiB).
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string name() const { return file_.string(); }

 private:
  using Stamp = std::pair<std::filesystem::file_time_type, std::uintmax_t>;
  [[nodiscard]] std::optional<Stamp> stamp() const;
  std::filesystem::path file_;
  std::optional<Stamp> before_;
};

}  // namespace retrial::workloads::command::inline reading
