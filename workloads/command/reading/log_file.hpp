#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace retrial::workloads::command::inline reading {

/// The file in the folder of a trial to which its program may append JSON lines; the program knows it as TRIAL_LOG.
[[nodiscard]] std::filesystem::path log_file(const std::filesystem::path& out);

/// Content of the log; nothing if it was not written. Throws TrialFailure("command.bad_json") beyond 16 MiB.
[[nodiscard]] std::optional<std::string> log_text(const std::filesystem::path& out);

}  // namespace retrial::workloads::command::inline reading
