#include "workloads/nn/protocol/sgd.hpp"

#include <cstddef>

#include "workloads/nn/protocol/sgd_step.hpp"

namespace retrial::nn::inline protocol {

void sgd_step(std::span<float> w, std::span<const float> gradient, std::span<float> v, double lr, const Sgd& sgd) {
  const SgdNumbers numbers{static_cast<float>(lr), static_cast<float>(sgd.momentum),
                           static_cast<float>(sgd.weight_decay)};
  float* const __restrict weights = w.data();
  float* const __restrict velocity = v.data();
  const float* const __restrict slope = gradient.data();
  const std::size_t n = w.size();
  if (sgd.nesterov) {
    for (std::size_t i = 0; i < n; ++i) sgd_element<true>(weights[i], slope[i], velocity[i], numbers);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) sgd_element<false>(weights[i], slope[i], velocity[i], numbers);
}

}  // namespace retrial::nn::inline protocol
