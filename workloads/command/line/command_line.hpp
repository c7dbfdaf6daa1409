#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/json/json_fwd.hpp"
#include "results/record/record.hpp"
#include "workloads/interface/trial.hpp"

namespace retrial::workloads::command::inline line {

/// The command line of a trial (or the one that `key` holds: prepare), placeholders filled in; for --dry-run too. Under
/// `shell`: /bin/sh -c and the whole text. There an {out} with characters that are special in a shell is refused
/// (TrialFailure command.shell_out), because adding quotes would break quotes that may already surround it;
/// "$TRIAL_OUT" always works.
[[nodiscard]] std::vector<std::string> argv_of(const Trial& trial, const std::filesystem::path& out,
                                               const std::string& key = "command");

/// SHA-256 of every argv element that is a regular file (the program itself as found through PATH), in order, then of
/// those of `prepare` and of every line of `inputs`; relative to `workdir`. Under `shell` the text is split into words
/// for this purpose. Throws Error when an input is missing, or what demand_startable() looks for.
[[nodiscard]] Json program_of(const Values& values);

/// Sources that the placeholders name and, with env_seed, those of the environment: in the order of `declared`, then
/// undeclared ones by name.
[[nodiscard]] std::vector<std::string> honoured(const Values& values, const std::vector<std::string>& declared);

/// Files below `out` that match a glob of `globs` (fnmatch; '*' also crosses folders), by relative path in byte
/// order, each with its SHA-256. Throws TrialFailure command.no_file for a glob without a match, command.too_many_files
/// beyond 1000, command.file_name for a name that is not printable UTF-8.
[[nodiscard]] std::vector<results::DigestValue> file_digests(const std::filesystem::path& out,
                                                             const std::string& globs);

}  // namespace retrial::workloads::command::inline line
