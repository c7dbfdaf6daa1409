#include "workloads/nn/protocol/adaptive.hpp"

#include <cmath>
#include <cstddef>

#include "workloads/nn/protocol/adaptive_step.hpp"

namespace retrial::nn::inline protocol {

AdamNumbers adam_numbers(std::int64_t step, double lr, double epsilon, float scale) {
  const auto t = static_cast<double>(step);
  return {.rate = static_cast<float>(lr / (1 - std::pow(.9, t))),
          .root = static_cast<float>(std::sqrt(1 - std::pow(.999, t))),
          .epsilon = static_cast<float>(epsilon),
          .scale = scale};
}

void adam_step(std::span<float> w, std::span<const float> gradient, std::span<float> m, std::span<float> v,
               std::int64_t step, double lr, double epsilon, float scale) {
  const AdamNumbers numbers = adam_numbers(step, lr, epsilon, scale);
  float* const __restrict weights = w.data(), * const __restrict first = m.data(), * const __restrict second = v.data();
  const float* const __restrict slope = gradient.data();
  for (std::size_t i = 0; i < w.size(); ++i) adam_element(weights[i], slope[i], first[i], second[i], numbers);
}

void rmsprop_step(std::span<float> w, std::span<const float> gradient, std::span<float> v, double lr, double epsilon,
                  float scale) {
  const RmspropNumbers numbers{static_cast<float>(lr), static_cast<float>(epsilon), scale};
  float* const __restrict weights = w.data(), * const __restrict second = v.data();
  const float* const __restrict slope = gradient.data();
  for (std::size_t i = 0; i < w.size(); ++i) rmsprop_element(weights[i], slope[i], second[i], numbers);
}

}  // namespace retrial::nn::inline protocol
