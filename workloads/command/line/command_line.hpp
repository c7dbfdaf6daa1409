#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline line {

/// The command line of a trial (or the one that `key` holds: prepare), placeholders filled in; for --dry-run too. Under
/// `shell`: /bin/sh -c and the whole text. There an {out} with characters that are special in a shell is refused
/// (TrialFailure command.shell_out), because adding quotes would break quotes that may already surround it;
/// "$TRIAL_OUT" always works.
[[nodiscard]] std::vector<std::string> argv_of(const Trial& trial, const std::filesystem::path& out,
                                               const std::string& key = "command");

/// Sources that the placeholders name, and those that the program reads from its environment: in the order of
/// `declared`, then undeclared ones by name.
[[nodiscard]] std::vector<std::string> honoured(const Values& values, const std::vector<std::string>& declared);

/// Files below `out` that match a glob of `globs` (fnmatch; '*' also crosses folders), by relative path in byte
/// order, each with its SHA-256. Throws TrialFailure command.no_file for a glob without a match, command.too_many_files
/// beyond 1000, command.file_name for a name that is not printable UTF-8.
[[nodiscard]] std::vector<results::DigestValue> file_digests(const std::filesystem::path& out,
                                                             const std::string& globs);

}  // namespace retrial::workloads::command::inline line
