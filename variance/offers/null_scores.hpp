#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "variance/random/rng.hpp"

/// Scores of equal variants, as tests see them in practice. Continuous models have mean 0 and standard deviation 1.
namespace retrial::variance::inline offers {

enum class NullScores {
  gaussian,
  t3,         ///< Student's t with 3 degrees of freedom: heavy tails
  lognormal,  ///< skewed
  counts,     ///< right answers of 20 items, each at one half
  rounded,    ///< normal, to half a standard deviation
  tied,       ///< normal; in two pairs of five both scores are the same
  zero_sum,   ///< one of the two wins 1, the other 0
  bits        ///< one test item: right at three quarters
};
struct NullScoresRow {
  NullScores scores;
  std::string_view name;
  double sd = 1.0;
  std::optional<double> resolution;  ///< smallest step
  double low = 0.0, high = 0.0;      ///< their range; equal: without bounds
};
[[nodiscard]] std::span<const NullScoresRow> all_null_scores();
[[nodiscard]] const NullScoresRow& row_of(NullScores scores);

/// One score by itself.
[[nodiscard]] double null_score(NullScores scores, Stream& stream);

struct NullPairs {
  std::vector<double> candidate, baseline;
};
/// Pairs of equal variants: exchangeable within a pair, independent between pairs.
[[nodiscard]] NullPairs null_pairs(NullScores scores, std::int64_t pairs, Stream& stream);

}  // namespace retrial::variance::inline offers
