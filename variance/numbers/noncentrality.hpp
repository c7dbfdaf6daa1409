#pragma once

namespace retrial::variance::inline numbers {

/// The noncentrality d at which an observed t has P(T >= t) = q, for T of Student's noncentral law with `df` degrees of
/// freedom. q = alpha / 2 and 1 - alpha / 2 are the exact bounds of d at level 1 - alpha (Steiger and Fouladi 1997),
/// hence of every standardized mean difference, which is d over a root of the number of runs. Increases with q and t.
/// Finite t, 0 < q < 1, df >= 1; ten digits. d is the q-quantile of t S + Z with S = sqrt(chi-squared / df) and Z
/// normal, which stays well behaved where the series of the noncentral law do not converge.
[[nodiscard]] double noncentrality_quantile(double q, double t, double df);

}  // namespace retrial::variance::inline numbers
