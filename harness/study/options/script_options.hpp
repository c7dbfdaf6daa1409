#pragma once

#include <filesystem>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/study/checks/study.hpp"
#include "workloads/interface/script_name.hpp"

namespace retrial::harness::inline study::inline options {

/// --allow-scripts.
[[nodiscard]] Option allow_scripts_option();

/// Puts the SHA-256 of FILE in its place in every value "script:FILE" of the draft, and keeps the files in the draft.
/// FILE is relative to the folder of --data, as in keys that name folders. The file is read, nothing in it is run.
/// Throws Error{incomparable} for a file that does not exist.
void read_scripts(const Arguments& arguments, const workloads::Declaration& declaration, StudyDraft& draft);

/// Whether --set gives this key a script: "KEY=script:FILE".
[[nodiscard]] bool sets_script(const workloads::Declaration& declaration, const std::string& key,
                               const std::string& text);
/// The files of all such --set, by their SHA-256.
[[nodiscard]] workloads::Scripts scripts_set(const Arguments& arguments, const workloads::Declaration& declaration);

/// The files of the scripts that the variants of a study load. Throws Error{usage} for the first one if the user does
/// not allow scripts: a script is a program.
[[nodiscard]] workloads::Scripts allowed_scripts(const Arguments& arguments, const Study& study);

}  // namespace retrial::harness::inline study::inline options
