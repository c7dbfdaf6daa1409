#pragma once

#include <cstdint>
#include <span>

namespace retrial::nn::inline protocol {

/// One step of Adam (Kingma and Ba 2015) as LibTorch defines it, in float32, one rounding per written operation:
///     m = b1 m + (1 - b1) g;  v = b2 v + (1 - b2) g^2;  w = w - lr / (1 - b1^t) * m / (sqrt(v) / sqrt(1 - b2^t) + eps)
/// with b1 = 0.9, b2 = 0.999, and g = scale * gradient. `step` counts from 1.
void adam_step(std::span<float> w, std::span<const float> gradient, std::span<float> m, std::span<float> v,
               std::int64_t step, double lr, double epsilon, float scale = 1);

/// One step of RMSprop as LibTorch defines it:  v = a v + (1 - a) g^2;  w = w - lr g / (sqrt(v) + eps)  with a = 0.99.
void rmsprop_step(std::span<float> w, std::span<const float> gradient, std::span<float> v, double lr, double epsilon,
                  float scale = 1);

}  // namespace retrial::nn::inline protocol
