#pragma once

#include <filesystem>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/study/checks/study.hpp"

namespace retrial::harness::inline study::inline options {

/// Options that define a study, shared by plan, run and check.
[[nodiscard]] std::vector<Option> study_options();

/// The study that the command line names: a study file or a workload as the only argument, or flags of a workload that
/// name its variants. Options override the file.
[[nodiscard]] StudyDraft draft_from(const Arguments& arguments);

/// With --variant the study has this variant alone, and nothing to compare. Throws Error{usage} for an unknown one.
void keep_variant(const Arguments& arguments, Study& study);

/// The folder of data sets: --data, else the current folder.
[[nodiscard]] std::filesystem::path data_folder(const Arguments& arguments);

}  // namespace retrial::harness::inline study::inline options
