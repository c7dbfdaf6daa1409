#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "variance/components/components.hpp"

/// Components of any set of crossed or nested random effects, balanced or not: y = mean + sum_s effect_s + noise.
namespace retrial::variance::inline components {

/// One source: the seed of each run. Numbers are names; only equality counts.
struct Factor {
  std::string source;
  std::vector<std::uint32_t> level;
};

struct Reml {
  std::vector<Component>
      components;  ///< components of the factors in order, then "noise"; intervals from the expected information
  double mean = 0.0, se = 0.0;     ///< grand mean and its standard error, generalized least squares
  std::optional<double> deviance;  ///< log|V| + log|X'V^-1 X| + y'Py; absent if it has no lower bound (exact scores)
  int iterations = 0;
};
/// Restricted maximum likelihood (Patterson and Thompson 1971): the variances of 0 or more with the least deviance, by
/// steps that are exact at 0. Where some factors reproduce the scores to rounding (a source without effect and no
/// noise: the deviance falls without bound as the other variances go to 0) the others and the noise are 0, and the
/// likelihood is that of the effects, which are then known. Scores that do not vary have components 0.
///
/// At most 4,000 runs. InvalidInput for factors of another length than the scores, with one level or with as many
/// levels as runs, and for a source that the runs cannot tell apart from the others or the noise: its field is
/// factors[i]. NumericalFailure after 200 iterations.
[[nodiscard]] Reml reml(std::span<const double> scores, const std::vector<Factor>& factors, double alpha = 0.05);

/// Components of data simulated with the variances of `fit` (parametric bootstrap): [component][replicate], in the
/// order of fit.components. `key`: key of the comparison; purpose "reml-boot" is derived here.
[[nodiscard]] std::vector<std::vector<double>> reml_replicates(const Reml& fit, const std::vector<Factor>& factors,
                                                               std::uint64_t key, std::int64_t replicates);

}  // namespace retrial::variance::inline components
