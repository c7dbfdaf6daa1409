#pragma once

#include <cstdint>

#include "variance/numbers/estimate.hpp"

namespace retrial::variance::inline comparisons {

/// Intervals for a share of x successes out of n (level 1 - alpha, two-sided). n >= 1, 0 <= x <= n, alpha in (0, .5).
/// Clopper and Pearson 1934: covers at least 1 - alpha for every share. The default everywhere.
[[nodiscard]] Estimate clopper_pearson(std::int64_t x, std::int64_t n, double alpha = 0.05);
/// Inversion of the mid-p tail (half the probability of the observed count): shorter, covers 1 - alpha on average only.
[[nodiscard]] Estimate mid_p(std::int64_t x, std::int64_t n, double alpha = 0.05);
/// Wilson 1927, the score interval.
[[nodiscard]] Estimate wilson(std::int64_t x, std::int64_t n, double alpha = 0.05);
/// The percentile bootstrap with infinitely many resamples, as published for P(A > B): for reproduction. Degenerate (a
/// point) at x = 0 and x = n, and covers too little below n = 30.
[[nodiscard]] Estimate percentile(std::int64_t x, std::int64_t n, double alpha = 0.05);

/// Methods of an interval for P(A > B); `bootstrap_exact` includes ties.
enum class WinMethod { clopper_pearson, mid_p, wilson, percentile, bootstrap_exact };

/// Standard deviation that an accuracy `tau` (a fraction in [0, 1]) has from the choice of `items` test items alone,
/// errors independent: sqrt(tau (1 - tau) / items). No choice of seeds reduces it.
[[nodiscard]] double binomial_floor(double tau, std::int64_t items);

}  // namespace retrial::variance::inline comparisons
