#include "workloads/nn/protocol/sgd.hpp"

#include <cstddef>

namespace retrial::nn::inline protocol {

void sgd_step(std::span<float> w, std::span<const float> gradient, std::span<float> v, double lr, const Sgd& sgd) {
  const auto rate = static_cast<float>(lr), mu = static_cast<float>(sgd.momentum),
             decay = static_cast<float>(sgd.weight_decay);
  float* const __restrict weights = w.data();
  float* const __restrict velocity = v.data();
  const float* const __restrict slope = gradient.data();
  const std::size_t n = w.size();
  if (sgd.nesterov) {
    for (std::size_t i = 0; i < n; ++i) {
      const float g = slope[i] + decay * weights[i];
      velocity[i] = mu * velocity[i] + g;
      weights[i] = weights[i] - rate * (g + mu * velocity[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const float g = slope[i] + decay * weights[i];
    velocity[i] = mu * velocity[i] + g;
    weights[i] = weights[i] - rate * velocity[i];
  }
}

}  // namespace retrial::nn::inline protocol
