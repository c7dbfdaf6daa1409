#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace retrial::workloads::command::inline process {

/// The program that counts the instructions of another one, and everything that it starts.
inline constexpr const char* counter_program = "valgrind";

/// The command line under the counter, which leaves one file per process in `folder`.
[[nodiscard]] std::vector<std::string> counted(const std::vector<std::string>& argv,
                                               const std::filesystem::path& folder);

/// The instructions of all processes that left a file there. Throws TrialFailure("command.no_count") without any.
[[nodiscard]] std::uint64_t counted_instructions(const std::filesystem::path& folder);

}  // namespace retrial::workloads::command::inline process
