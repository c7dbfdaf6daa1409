#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "variance/numbers/estimate.hpp"
#include "variance/wins/pooled_runs.hpp"

/// P(A > B) from all pairs of runs, ties count as half: theta = U / (n m). Scores are oriented so that higher is
/// better.
namespace retrial::variance::inline wins {

/// Share of the baseline's scores below each score of the candidate, and of the candidate's scores above each score of
/// the baseline, ties count as half. Both are oriented toward the candidate and have mean theta. O((n + m) log(n +
/// m)).
struct Placements {
  std::vector<double> candidate, baseline;  ///< V10, V01 of DeLong, DeLong and Clarke-Pearson 1988
  double theta = 0.5;
  std::int64_t ties = 0;  ///< tied pairs (i, j)
};
/// InvalidInput for an empty sample and for values that are not finite. Ties by `tie_tolerance`, chain rule.
[[nodiscard]] Placements placements(std::span<const double> candidate, std::span<const double> baseline,
                                    std::optional<double> resolution = {});
[[nodiscard]] Placements placements(const PooledRuns& pool);

struct UnpairedTheta {
  double theta = 0.5;
  std::int64_t ties = 0;
  std::optional<double> s10, s01;  ///< sample variances of the placements; absent for one run
  std::optional<double> se;        ///< sqrt(s10 / n + s01 / m)
  /// On the logit scale; with complete separation (theta 0 or 1) the bound (alpha/2)^(1/min(n, m)) and the end itself.
  /// No bounds without spread (one run without separation, or only ties).
  Estimate interval;
  Estimate wald;  ///< theta +- z se: may leave [0, 1]; for comparison only
};
[[nodiscard]] UnpairedTheta unpaired_theta(std::span<const double> candidate, std::span<const double> baseline,
                                           double alpha = 0.05, std::optional<double> resolution = {});
[[nodiscard]] UnpairedTheta unpaired_theta(const PooledRuns& pool, double alpha = 0.05);

/// One-sided bound of theta if every run of one side beats every run of the other: all min(n, m) disjoint pairs are
/// won with probability theta^min.
[[nodiscard]] double separation_bound(std::int64_t n, std::int64_t m, double alpha = 0.05);

/// Standard error of theta if run i of both variants shares its seeds (all N^2 pairs of a paired design):
/// sqrt((S10 + S01 + 2 cov(V10_i, V01_i)) / N). The covariance is *added* because V01 is oriented toward the
/// candidate; it is negative for positively correlated scores. Absent below two pairs.
struct PairedTheta {
  double theta = 0.5;
  std::optional<double> covariance, se;
};
[[nodiscard]] PairedTheta delong(std::span<const double> candidate, std::span<const double> baseline,
                                 std::optional<double> resolution = {});

}  // namespace retrial::variance::inline wins
