#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline line {

/// Files of the key `copy`, relative to the working folder. With any, a trial starts in its own folder, among copies.
[[nodiscard]] std::vector<std::string> copied_files(const Values& values);

/// Throws Error if one of them is not a file below the working folder, or if the command names a file of that folder
/// that is not among them and so would not be found.
void check_copies(const Values& values);

/// Throws TrialFailure command.copy.
void copy_files(const Values& values, const std::filesystem::path& out);

}  // namespace retrial::workloads::command::inline line
