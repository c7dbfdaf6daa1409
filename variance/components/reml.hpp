#pragma once

#include <cstdint>
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
  double mean = 0.0, se = 0.0;  ///< grand mean and its standard error, generalized least squares
  double deviance = 0.0;        ///< log|V| + log|X'V^-1 X| + y'Py
  int iterations = 0;
};
/// Restricted maximum likelihood (Patterson and Thompson 1971) by Fisher scoring on log variances with step halving; an
/// EM step when scoring fails. A component below 1e-10 of the total is 0. At most 4,000 runs. InvalidInput for factors
/// of another length than the scores, with one level or with as many levels as runs; NumericalFailure after 200
/// iterations.
[[nodiscard]] Reml reml(std::span<const double> scores, const std::vector<Factor>& factors, double alpha = 0.05);

/// Components of data simulated with the variances of `fit` (parametric bootstrap): [component][replicate], in the
/// order of fit.components. `key`: key of the comparison; purpose "reml-boot" is derived here.
[[nodiscard]] std::vector<std::vector<double>> reml_replicates(const Reml& fit, const std::vector<Factor>& factors,
                                                               std::uint64_t key, std::int64_t replicates);

}  // namespace retrial::variance::inline components
