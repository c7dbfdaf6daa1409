#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "variance/comparisons/test_outcome.hpp"
#include "variance/numbers/estimate.hpp"

/// Bayesian tests of paired differences d = candidate - baseline, with a region of practical equivalence (rope) of half
/// width `rope` in the unit of the scores (Benavoli, Corani, Demsar and Zaffalon 2017).
namespace retrial::variance::inline bayes {

/// Posterior of the mean difference: Student with n - 1 df, located at the mean, scale^2 = (1/n + rho / (1 - rho)) s^2;
/// rho is the correlation of differences that share training rows (1 / folds), 0 for independent seeds.
struct CorrelatedT {
  Posterior posterior;
  double scale = 0.0, df = 0.0;
  Estimate mean;  ///< credible interval of level 1 - alpha
};
/// InvalidInput below two differences, for rho outside [0, 1), rope below 0. Differences without spread: a point mass,
/// split between left and right if both the mass and the rope are at 0.
[[nodiscard]] CorrelatedT correlated_t(std::span<const double> differences, double rope = 0.0, double rho = 0.0,
                                       double alpha = 0.05);
/// The same from n, mean and sample variance.
[[nodiscard]] CorrelatedT correlated_t_of(std::int64_t n, double mean, double variance, double rope, double rho,
                                          double alpha = 0.05);

enum class PriorPlace { left, rope, right };
struct SignPrior {
  double strength = 1.0;  ///< weight of the pseudo-observation at `place`
  PriorPlace place = PriorPlace::rope;
};
/// Probability that each of "left", "rope", "right" has the largest share, where |d| <= rope counts as rope, from a
/// Dirichlet(left + 1e-4, rope + 1e-4, right + 1e-4) posterior with the prior added at its place. By quadrature.
[[nodiscard]] Posterior dirichlet_sign(std::span<const double> differences, double rope, const SignPrior& prior = {});
/// Probability that each of three independent Gamma variables of these shapes is the largest. Shapes > 0, one of them
/// at least 1/2.
[[nodiscard]] std::array<double, 3> largest_of_gammas(const std::array<double, 3>& shapes);

struct SignedRankOptions {
  double rope = 0.0;
  std::int64_t draws = 50'000;
  std::uint64_t key = 0;  ///< draw r uses Stream(key, r): one word for the prior, then one per difference
};
/// Bayesian signed ranks: a pseudo-difference 0 of weight Gamma(1/2) joins the differences, weights w ~ Dirichlet,
/// left = sum w_i w_j over d_i + d_j < -2 rope (ties count as half), right likewise. Returns the share of draws in
/// which each is the largest. Rope 0: two outcomes. O(n) per draw: the turning points of the pairs depend on the data
/// alone.
[[nodiscard]] Posterior signed_rank(std::span<const double> differences, const SignedRankOptions& options);

}  // namespace retrial::variance::inline bayes
