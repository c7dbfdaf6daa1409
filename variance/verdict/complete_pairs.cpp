#include "variance/verdict/complete_pairs.hpp"

#include <cmath>

#include "variance/verdict/decided_scores.hpp"

namespace retrial::variance::inline verdict {

CompletePairs complete_pairs(const PairedScores& given) {
  const PairedScores scores = decided_scores(given);
  CompletePairs out;
  for (std::size_t i = 0; i < scores.candidate.size(); ++i) {
    const auto &a = scores.candidate[i], &b = scores.baseline[i];
    if (!a || !b || !std::isfinite(*a) || !std::isfinite(*b)) {
      ++out.left_out;
      continue;
    }
    out.candidate.push_back(*a);
    out.baseline.push_back(*b);
    out.difference.push_back(*a - *b);
  }
  return out;
}

}  // namespace retrial::variance::inline verdict
