#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "variance/numbers/estimate.hpp"

/// Two samples measured in several strata: hosts, boots, launches. Scores are compared within a stratum only.
namespace retrial::variance::inline ranks {

/// Infinity is a run that never reached a value: worse or better than every number, and tied with its like.
struct RankStratum {
  std::vector<double> candidate, baseline;
};

struct StratifiedRanks {
  double u = 0.0;  ///< pairs within a stratum that the candidate wins, ties as half
  double p_greater = 1.0, p_less = 1.0;
  double mid_greater = 1.0;  ///< p_greater with half the share of u itself, for reports
  double min_p = 1.0;        ///< smallest attainable one-sided p without ties
};
/// The sum of U over strata against the convolution of their exact laws; one stratum is the plain test of Mann and
/// Whitney. InvalidInput for NaN, for an empty side, and above 100 runs on a side of a stratum.
[[nodiscard]] StratifiedRanks rank_test_stratified(std::span<const RankStratum> strata);

/// Median of the differences candidate - baseline within strata, with the interval of the tie-free law; inf - inf is 0.
/// A bound is absent if the runs are too few for the level, and infinite where a difference is.
[[nodiscard]] Estimate shift_stratified(std::span<const RankStratum> strata, double alpha = 0.05);

}  // namespace retrial::variance::inline ranks
