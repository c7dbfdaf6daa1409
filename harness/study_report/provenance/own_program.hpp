#pragma once

#include <vector>

#include "results/json/json_fwd.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline study_report::inline provenance {

/// The environment with what belongs to the program of one variant taken out: its files and modules.
[[nodiscard]] Json without_program_files(Json environment);

/// Environment of a user's program: interpreter, packages, git, variables. Empty for programs of
/// ours.
[[nodiscard]] std::vector<report::Block> own_program_blocks(const Json& environment);

/// The files and modules of the programs in all environments, with their SHA-256. No rows for programs of ours.
[[nodiscard]] report::Table program_files_table(const std::vector<Json>& environments);

}  // namespace retrial::harness::inline study_report::inline provenance
