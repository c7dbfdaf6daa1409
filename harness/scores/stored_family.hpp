#pragma once

#include <vector>

#include "harness/command_line/arguments.hpp"
#include "harness/judge/comparison.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline scores {

/// `retrial compare STORE --adjust HOW`: each other variant of a stored study against the baseline, as one family of
/// claims by --test (default: that of the design), with the levels of the design and the seed of the study unless
/// options override them. Prints the result and returns the exit code for --require.
[[nodiscard]] Exit compare_stored_family(const Arguments& arguments, const results::Store& store,
                                         const StudyView& study, const std::vector<PlannedTrial>& trials);

}  // namespace retrial::harness::inline scores
