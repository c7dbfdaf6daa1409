#pragma once

#include <vector>

#include "harness/command_line/arguments.hpp"
#include "harness/judge/comparison.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline scores {

/// `retrial compare STORE --adjust HOW`: every other variant of a stored study beside the baseline, as one family of
/// claims by --test (default: that of the design), with the levels of the design and the seed of the study unless
/// options give others. Prints, and returns what --require asks for.
[[nodiscard]] Exit compare_stored_family(const Arguments& arguments, const results::Store& store,
                                         const StudyView& study, const std::vector<PlannedTrial>& trials);

}  // namespace retrial::harness::inline scores
