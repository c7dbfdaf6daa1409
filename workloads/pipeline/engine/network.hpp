#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace retrial::pipeline::inline engine {

/// One stage: y = f(W x + b), or x + f(W x + b) with equal sizes, where f is tanh or nothing.
struct Layer {
  std::int64_t in = 1, out = 1;
  bool bias = true, tanh = true, residual = false;

  [[nodiscard]] std::int64_t weights() const { return in * out; }
  [[nodiscard]] std::int64_t parameters() const { return in * out + (bias ? out : 0); }
};

using Network = std::vector<Layer>;

/// The network of the study: stage 0 tanh, stages 1 to S - 2 residual with tanh, the last one linear with `classes`
/// outputs. One stage alone is the linear classifier.
[[nodiscard]] Network study_network(std::int64_t stages, std::int64_t width, std::int64_t features,
                                    std::int64_t classes);
[[nodiscard]] std::int64_t parameters_of(const Network& network);

/// Initial parameters of stage s: weights of variance 1/4 / in under derive(seed, "stage<s>.weight"), biases 0. Stored
/// as the kernels read them (kernels.hpp), the bias behind the weights.
[[nodiscard]] std::vector<double> initial_parameters(const Layer& layer, std::int64_t stage, std::uint64_t seed);

[[nodiscard]] std::string stage_name(std::int64_t stage);

}  // namespace retrial::pipeline::inline engine
