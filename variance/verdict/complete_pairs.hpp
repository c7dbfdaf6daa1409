#pragma once

#include <cstdint>
#include <vector>

#include "variance/verdict/verdict.hpp"

namespace retrial::variance::inline verdict {

/// The pairs whose runs both have a finite score, in their order; `difference` is candidate - baseline.
struct CompletePairs {
  std::vector<double> candidate, baseline, difference;
  std::int64_t left_out = 0;
};
/// Both lists of scores must have the same length.
[[nodiscard]] CompletePairs complete_pairs(const PairedScores& scores);

}  // namespace retrial::variance::inline verdict
