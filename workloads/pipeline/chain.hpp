#pragma once

#include <string>
#include <vector>

#include "results/text/value.hpp"

namespace retrial::pipeline {

struct ChainWeights {
  std::vector<std::vector<double>> versions;  ///< [s][t]: weight of stage s after t of its updates, t from 0
  std::vector<std::vector<double>> ticks;     ///< [t][s]: weights after tick t, with the delay model pb alone
};

/// The smallest complete pipelines, in the engine of the workload and in double precision: stage s turns a into w_s a
/// (`lin`) or tanh(w_s a), s from 0; the input is 1, the loss (out - y)^2 / 2, every sample the same. `keys` are some
/// of the workload's; rates are not scaled. Weights end where a loss is not finite. Throws Error naming a key that the
/// workload refuses, or does not read.
[[nodiscard]] ChainWeights scalar_chain(const std::vector<double>& w, double y, const std::string& activation,
                                        const Values& keys);

}  // namespace retrial::pipeline
