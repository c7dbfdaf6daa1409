#include "workloads/nn/protocol/adaptive.hpp"

#include <cmath>
#include <cstddef>

namespace retrial::nn::inline protocol {

void adam_step(std::span<float> w, std::span<const float> gradient, std::span<float> m, std::span<float> v,
               std::int64_t step, double lr, double epsilon) {
  constexpr double b1 = .9, b2 = .999;
  const auto t = static_cast<double>(step);
  const auto rate = static_cast<float>(lr / (1 - std::pow(b1, t))),
             root = static_cast<float>(std::sqrt(1 - std::pow(b2, t))), eps = static_cast<float>(epsilon);
  constexpr auto keep1 = static_cast<float>(b1), add1 = static_cast<float>(1 - b1), keep2 = static_cast<float>(b2),
                 add2 = static_cast<float>(1 - b2);
  float* const __restrict weights = w.data(), * const __restrict first = m.data(), * const __restrict second = v.data();
  const float* const __restrict slope = gradient.data();
  for (std::size_t i = 0; i < w.size(); ++i) {
    first[i] = keep1 * first[i] + add1 * slope[i];
    second[i] = keep2 * second[i] + add2 * slope[i] * slope[i];
    weights[i] = weights[i] - rate * first[i] / (std::sqrt(second[i]) / root + eps);
  }
}

void rmsprop_step(std::span<float> w, std::span<const float> gradient, std::span<float> v, double lr, double epsilon) {
  constexpr float keep = .99F, add = static_cast<float>(1 - .99);
  const auto rate = static_cast<float>(lr), eps = static_cast<float>(epsilon);
  float* const __restrict weights = w.data(), * const __restrict second = v.data();
  const float* const __restrict slope = gradient.data();
  for (std::size_t i = 0; i < w.size(); ++i) {
    second[i] = keep * second[i] + add * slope[i] * slope[i];
    weights[i] = weights[i] - rate * slope[i] / (std::sqrt(second[i]) + eps);
  }
}

}  // namespace retrial::nn::inline protocol
