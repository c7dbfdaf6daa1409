#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// Group-sequential boundaries of a normal statistic: a few declared looks at shares 0 < t_1 < ... < t_K <= 1 of the
/// planned information, z_k to be compared with c_k in both directions. By recursive integration of the sub-density of
/// the paths that have not crossed (Armitage, McPherson and Rowe 1969), Simpson's rule on 601 points; constants to
/// 1e-6.
namespace retrial::variance::inline looks {

/// P(|z_k| >= c_k at look k and not before) for each k, without an effect. c_k may be infinite.
[[nodiscard]] std::vector<double> crossing_probabilities(std::span<const double> shares,
                                                         std::span<const double> boundaries);

enum class Spending { obrien_fleming, pocock };
/// One-sided alpha spent by share t of the information (Lan and DeMets 1983): 2 - 2 Phi(z_(1 - side / 2) /
/// sqrt t), and side log(1 + (e - 1) t).
[[nodiscard]] double spent(Spending spending, double t, double side);
/// Boundaries whose crossing probability, over both directions together, is cumulative[k] by look k; infinite where
/// that adds less than the smallest tail of a double, which is then left to the next look. Both spans have the same
/// length.
[[nodiscard]] std::vector<double> boundaries_spending(std::span<const double> shares,
                                                      std::span<const double> cumulative);
/// Boundaries that spend alpha / 2 on each side, for any looks: you may choose them while the study runs, as long as
/// the choice does not depend on the scores. InvalidInput{shares} unless ascending in (0, 1].
[[nodiscard]] std::vector<double> spending_boundaries(Spending spending, std::span<const double> shares,
                                                      double alpha = 0.05);

}  // namespace retrial::variance::inline looks
