#pragma once

#include <cstdint>

#include "variance/comparisons/comparisons.hpp"

/// Power of two one-sided tests: the probability of EQUIVALENT.
namespace retrial::variance::inline designs {

/// Normal scores. Margin and difference are in standard deviations: of the paired differences, or of the runs of one
/// variant (two independent groups of equal size and spread).
struct EquivalencePlan {
  Pairing pairing = Pairing::paired;
  double alpha = 0.05;      ///< for each of the two tests
  double difference = 0.0;  ///< the true one
};
/// P(both one-sided t tests reject), exact: the bivariate noncentral t (Owen 1965; Phillips 1990) as one integral over
/// the estimated standard deviation. Unpaired: Welch's test, also averaged over its random degrees of freedom, which
/// are (n - 1) / (b^2 + (1 - b)^2) for the share b of one group in the sum of both sample variances, which is Beta((n -
/// 1) / 2, (n - 1) / 2). InvalidInput for fewer than two runs, a margin that is not positive, alpha outside (0, .5).
[[nodiscard]] double equivalence_power(std::int64_t runs, double margin, const EquivalencePlan& plan = {});

}  // namespace retrial::variance::inline designs
