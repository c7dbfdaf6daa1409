#pragma once

#include <optional>
#include <span>

#include "variance/comparisons/test_result.hpp"
#include "variance/numbers/estimate.hpp"

/// Spread, to find the steadier variant: tests of equal spread, and intervals for the ratio of standard deviations,
/// candidate / baseline (below 1: the candidate is steadier). In every test `p_less` is for the candidate spreading
/// less, `p_greater` for it spreading more. A sum of squares says nothing where a side does not vary: there is no
/// statistic then, p is 1 and `note` says why. InvalidInput for too few scores, scores that are not finite, and pairs
/// of unequal length.
namespace retrial::variance::inline spreads {

/// Brown and Forsythe 1974, Levene's test with medians: Student's t, squared to F (1, n + m - 2), of the distances from
/// the own median. Keeps its level without normality: simulated size at alpha .05 a side .013 to .045 with 5 to 20 runs
/// each (normal, t with 3 df, log-normal, counts), but up to .064 with 5 against 20, and 0 with three runs, which can
/// decide nothing. At least three runs each; compare() demands five. SciPy: levene(center="median").
[[nodiscard]] TestResult brown_forsythe(std::span<const double> candidate, std::span<const double> baseline);
/// F = s_A^2 / s_B^2, df (n - 1, m - 1): exact for normal scores, wrong for heavier tails with any number of runs (Box
/// 1953). At least two runs each. R: var.test.
[[nodiscard]] TestResult variance_ratio(std::span<const double> candidate, std::span<const double> baseline);
/// Pitman 1939 and Morgan 1939, for runs that share seeds: t of the correlation r of a + b and a - b, df n - 2; r is 0
/// exactly when the variances are equal. Exact for bivariate normal pairs. At least three pairs. SciPy: pearsonr(a + b,
/// a - b).
[[nodiscard]] TestResult pitman_morgan(std::span<const double> candidate, std::span<const double> baseline);

/// The intervals that pages show; they assume no law of the scores. The point is s_A / s_B. Absent where a side does
/// not vary; no bounds below five runs of each. Groups: Bonett 2006, from the pooled kurtosis about trimmed means.
/// Simulated coverage of a nominal 95 %: .94 to .98 for normal, t (3 df), log-normal and count scores with 5 to 42 runs
/// each and equal spreads, .85 and more at three times the spread. Pairs: the jackknife of ln(s_A^2 / s_B^2), each pair
/// left out in turn, with Student's quantile (Miller 1968): .92 to .95, log-normal .86 to .95; Pitman's interval falls
/// to .64 (t) and .46 there.
[[nodiscard]] std::optional<Estimate> sd_ratio(std::span<const double> candidate, std::span<const double> baseline,
                                               double alpha = 0.05);
[[nodiscard]] std::optional<Estimate> paired_sd_ratio(std::span<const double> candidate,
                                                      std::span<const double> baseline, double alpha = 0.05);

/// The intervals that belong to F and to Pitman's t: the ratios that the test does not reject at alpha.
[[nodiscard]] std::optional<Estimate> sd_ratio_normal(std::span<const double> candidate,
                                                      std::span<const double> baseline, double alpha = 0.05);
[[nodiscard]] std::optional<Estimate> paired_sd_ratio_normal(std::span<const double> candidate,
                                                             std::span<const double> baseline, double alpha = 0.05);

}  // namespace retrial::variance::inline spreads
