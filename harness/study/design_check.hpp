#pragma once

#include <string>
#include <vector>

#include "harness/study/study.hpp"
#include "variance/verdict/design.hpp"

namespace retrial::harness::inline study {

/// Boundaries of a sequential family are summed over all paths, in time that grows with the square of the pairs.
constexpr std::int64_t most_sequential_pairs = 10'000;

[[nodiscard]] std::vector<std::string> design_family_names();
[[nodiscard]] std::vector<std::string> design_test_names();

/// Pairs of the plan: of a sequential family n_max, which must be said; else pairs, 20 when left out.
[[nodiscard]] std::int64_t declared_pairs(const StudyDraft& draft);

/// Fills study.compare from what the draft declares of levels, family, test and their settings. Unknown names, values
/// out of range, keys that contradict each other or have no meaning here are one Error{usage} each.
void declare_design(const StudyDraft& draft, Study& study);

/// What a design document holds besides the levels: only what differs from a fixed design by the exact rule, so that
/// the digests of such designs stay what they were before there were others.
void add_declared(const Study& study, Json& document);

/// The same for the statistics.
[[nodiscard]] variance::Design statistical_design(const Study& study);

}  // namespace retrial::harness::inline study
