#pragma once

#include <cstdint>
#include <vector>

#include "variance/comparisons/comparisons.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::variance::inline verdict {

/// The pairs whose runs both have a finite score, in their order; `difference` is candidate - baseline.
struct CompletePairs {
  std::vector<double> candidate, baseline, difference;
  std::int64_t left_out = 0;
};
/// A pair that bounds leave open has equal scores (decided_scores). Both lists must have the same length.
[[nodiscard]] CompletePairs complete_pairs(const PairedScores& scores);
/// The settings with which a fixed design's declared test judges them. A test of independent runs uses gamma as
/// declared; a test of pairs uses the converted gamma.
[[nodiscard]] TestSettings settings_of_test(const PairedScores& scores, const Design& design);

}  // namespace retrial::variance::inline verdict
