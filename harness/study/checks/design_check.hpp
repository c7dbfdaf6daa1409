#pragma once

#include "harness/study/checks/study.hpp"

namespace retrial::harness::inline study::inline checks {

/// Pairs of the plan: n_max for a sequential family, where it is required; else pairs, 20 when left out.
[[nodiscard]] std::int64_t declared_pairs(const StudyDraft& draft);

/// Fills a design, whose pairs, metric and variants are known, from what the draft declares. Unknown names, values out
/// of range, keys that contradict each other or have no meaning here throw Error{usage}.
void declare_design(const StudyDraft& draft, variance::Design& design);

}  // namespace retrial::harness::inline study::inline checks
