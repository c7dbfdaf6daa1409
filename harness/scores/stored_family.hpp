#pragma once

#include <vector>

#include "harness/arguments.hpp"
#include "harness/comparison.hpp"
#include "results/error.hpp"

namespace retrial::harness {

/// `retrial compare STORE --adjust HOW`: every other variant of a stored study beside the baseline, as one family of
/// claims by --test (default: that of the design), with the levels of the design and the seed of the study unless
/// options give others. Prints, and returns what --require asks for.
[[nodiscard]] Exit compare_stored_family(const Arguments& arguments, const results::Store& store,
                                         const StudyView& study, const std::vector<PlannedTrial>& trials);

}  // namespace retrial::harness
