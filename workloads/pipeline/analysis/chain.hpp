#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The smallest complete pipelines: every stage multiplies by one weight.
namespace retrial::pipeline::inline analysis {

/// Stage s turns a into w_s a (`lin`) or tanh(w_s a); the input is 1, the loss (out - y)^2 / 2, every sample the same.
/// The words are those of the keys of the workload.
struct ScalarChain {
  std::vector<double> w;  ///< initial weights, one for each stage
  double y = 0, lr = 0, momentum = 0;
  std::string activation = "lin";
  std::string delay = "none", semantics = "sequential", corrector = "none";
  std::int64_t samples = 1;
  std::int64_t uniform_delay = 1;
  std::vector<std::int64_t> delay_list = {};
  double horizon = 1, spike = 1;            ///< alpha of prediction, and of the exponent of spike compensation
  std::string corrector_delay = "nominal";  ///< or "measured": what this sample suffers
  std::int64_t microbatches = 1;            ///< samples per update, for `drained` and `uniform_delay`
  double weight_decay = 0;
  std::string decay_kind = "coupled";
  std::vector<std::vector<double>> lr_schedule = {};  ///< {i, f}: from sample i on the rate is f lr
  double gsc_a = 1, gsc_b = 0, dc_lambda = 0.5;
  double pipemare_samples = 0, pipemare_decay = 0.1353352832366127;
};

struct ChainWeights {
  std::vector<std::vector<double>> versions;  ///< [s][t]: weight of stage s after t of its updates, t from 0
  std::vector<std::vector<double>> ticks;     ///< [t][s]: weights after tick t, with the delay model pb alone
};

/// Weights of a chain, in double precision. Throws InvalidInput for a combination that the workload refuses.
[[nodiscard]] ChainWeights scalar_chain(const ScalarChain& chain);

}  // namespace retrial::pipeline::inline analysis
