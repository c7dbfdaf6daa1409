#pragma once

#include "harness/study.hpp"

namespace retrial::harness {

/// Pairs of the plan: of a sequential family n_max, which must be said; else pairs, 20 when left out.
[[nodiscard]] std::int64_t declared_pairs(const StudyDraft& draft);

/// Fills a design, whose pairs, metric and variants are known, from what the draft declares. Unknown names, values out
/// of range, keys that contradict each other or have no meaning here are one Error{usage} each.
void declare_design(const StudyDraft& draft, variance::Design& design);

}  // namespace retrial::harness
