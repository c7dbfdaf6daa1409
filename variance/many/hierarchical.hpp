#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "variance/bayes/bayes.hpp"
#include "variance/comparisons/status.hpp"

/// Several data sets at once (Corani, Benavoli, Demsar, Mangili and Zaffalon 2017): the differences of one set are
/// normal with correlation rho around its own mean; the means of the sets follow a Student law around a common mean.
/// The estimate is for the next data set.
namespace retrial::variance::inline many {

enum class DegreesPrior {
  baycomp,  ///< nu - 1 ~ Gamma(a, b), a ~ U(1, 2), b ~ U(.01, .1)
  scmamp    ///< a ~ U(.5, 5), b ~ U(.05, .15)
};
struct HierarchicalOptions {
  double rope = 0.0;  ///< half width, in the unit of the differences
  double rho = 0.0;   ///< correlation of the differences of one set; 0 for independent seeds, 1 / folds for folds
  DegreesPrior prior = DegreesPrior::baycomp;
  std::uint64_t key = 0;  ///< every chain, iteration and parameter has its own stream
  int chains = 4, warm_up = 1'000, kept = 2'500;
};
/// Fewer data sets do not bound how far sets differ: the law of sigma then depends on the limits of its prior, and
/// whether the chains agree on chance.
constexpr std::size_t min_sets = 3;
struct Mixing {
  double r_hat = 0.0;  ///< split R-hat over all chains (Gelman et al. 2013)
  double effective_draws = 0.0;
  [[nodiscard]] bool good() const { return r_hat < 1.01 && effective_draws >= 400.0; }
};
struct Hierarchical {
  Posterior next;  ///< probability that the next data set is worse, within the rope, better: votes of the draws
  Posterior mean;  ///< the same as mean probabilities
  double delta = 0.0, sigma = 0.0, nu = 0.0;  ///< posterior means: common mean, spread of the sets, degrees of freedom
  Mixing mixing_delta, mixing_sigma, mixing_nu;
  bool mixed = false;  ///< min_sets or more, all three diagnostics good; otherwise the verdict is INVALID (sampler)
};
/// Slice sampling within Gibbs. differences[i]: at least two finite differences of data set i. InvalidInput for no set,
/// a set that is too short, rho outside [0, 1), rope below 0, and if nothing varies at all.
[[nodiscard]] Hierarchical hierarchical(std::span<const std::vector<double>> differences,
                                        const HierarchicalOptions& options = {});

/// BETTER, WORSE or EQUIVALENT where the next data set is so with this probability at least; INVALID where the sampler
/// did not mix. Of differences of scores that are better the higher they are.
[[nodiscard]] Status status_of(const Hierarchical& found, double probability);

/// log f of n differences d (already centered) with correlation rho, up to a constant: the determinant and the
/// quadratic form at unit variance, det = (1 + (n - 1) rho)(1 - rho)^(n - 1).
struct CorrelatedForm {
  double determinant = 1.0, quadratic = 0.0;
};
[[nodiscard]] CorrelatedForm correlated_form(std::int64_t n, double sum, double sum_of_squares, double rho);

/// log Gamma(x), x > 0, by Stirling's series with eight terms after a shift to x >= 16: the same bits on every machine.
[[nodiscard]] double portable_log_gamma(double x);

}  // namespace retrial::variance::inline many
