#pragma once

#include <span>
#include <vector>

namespace retrial::pruning::inline allocation {

/// One row of weights of one sign: its share of the objective, alpha = 2 C ln(8 (p + 1) k / delta) times the sum of its
/// scores, and its max number of weights.
struct SampledRow {
  double weight = 1, alpha = 0, max = 0;
};

/// The error bound of a row from which x weights are drawn: t = alpha / (3 x), (t + sqrt(t^2 + 6 t)) / 2 (Baykal,
/// Liebenwein, Gilitschenski, Feldman and Rus, "SiPPing neural networks", 2019). Infinite for x = 0 unless alpha is 0.
[[nodiscard]] double sampling_bound(double alpha, double x);

/// x for every row that minimise the sum of weight * bound, with sum x <= budget and 0 <= x <= max.
struct Split {
  std::vector<double> x;
  double multiplier = 0;  ///< multiplier of the budget; 0 if it does not bind
  double gap = 0;         ///< duality gap, relative to the objective
};
/// The problem is convex and separable: bisection on the multiplier, each row by bisection and Newton's method on its
/// own condition. Rows with alpha 0 get nothing.
[[nodiscard]] Split split_budget(std::span<const SampledRow> rows, double budget);

/// The largest violation of the conditions of Karush, Kuhn and Tucker, relative to the multiplier, for rows inside
/// their bounds.
[[nodiscard]] double kkt_residual(std::span<const SampledRow> rows, const Split& split);

}  // namespace retrial::pruning::inline allocation
