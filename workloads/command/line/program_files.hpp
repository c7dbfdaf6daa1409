#pragma once

#include "results/json/json_fwd.hpp"
#include "results/text/value.hpp"
#include "workloads/interface/user_program.hpp"

namespace retrial::workloads::command::inline line {

/// Every argv element that is a regular file (the program itself as found through PATH), in order, then every line of
/// `inputs` and of `copy`; relative to `workdir`. Under `shell` the text is split into words for this purpose. Throws
/// Error when an input or a copied file is missing.
[[nodiscard]] ProgramFiles program_files_of(const Values& values);

/// Those that the command itself names.
[[nodiscard]] std::vector<std::filesystem::path> named_files(const Values& values);

/// The SHA-256 of all as texts, in the same order.
[[nodiscard]] Json program_of(const Values& values);

}  // namespace retrial::workloads::command::inline line
