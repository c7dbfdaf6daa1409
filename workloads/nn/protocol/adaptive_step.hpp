#pragma once

#include <math.h>

#include <cstdint>

#include "determinism/kernels/parts.hpp"

namespace retrial::nn::inline protocol {

/// The numbers of adam_step as its arithmetic takes them. `scale`: by which gradients are multiplied first.
struct AdamNumbers {
  float rate, root, epsilon, scale;
};
[[nodiscard]] AdamNumbers adam_numbers(std::int64_t step, double lr, double epsilon, float scale);

/// adam_step on one element.
RETRIAL_HD void adam_element(float& w, float gradient, float& m, float& v, const AdamNumbers& adam) {
  constexpr auto keep1 = static_cast<float>(.9), add1 = static_cast<float>(1 - .9), keep2 = static_cast<float>(.999),
                 add2 = static_cast<float>(1 - .999);
  const float g = gradient * adam.scale;
  m = keep1 * m + add1 * g;
  v = keep2 * v + add2 * g * g;
  w = w - adam.rate * m / (sqrtf(v) / adam.root + adam.epsilon);
}

/// The numbers of rmsprop_step, likewise.
struct RmspropNumbers {
  float rate, epsilon, scale;
};

/// rmsprop_step on one element.
RETRIAL_HD void rmsprop_element(float& w, float gradient, float& v, const RmspropNumbers& rmsprop) {
  constexpr float keep = .99F, add = static_cast<float>(1 - .99);
  const float g = gradient * rmsprop.scale;
  v = keep * v + add * g * g;
  w = w - rmsprop.rate * g / (sqrtf(v) + rmsprop.epsilon);
}

/// One trained tensor on a device; m is null with RMSprop.
struct AdaptiveTensor {
  float* w;
  const float* gradient;
  float *m, *v;
};

/// The bodies of the kernels.
RETRIAL_HD void adam_parts(const determinism::Parts<AdaptiveTensor>& parts, const AdamNumbers& adam,
                           const determinism::Where& at) {
  determinism::each_element(parts, at, [&](const AdaptiveTensor& tensor, std::uint64_t i) {
    adam_element(tensor.w[i], tensor.gradient[i], tensor.m[i], tensor.v[i], adam);
  });
}
RETRIAL_HD void rmsprop_parts(const determinism::Parts<AdaptiveTensor>& parts, const RmspropNumbers& rmsprop,
                              const determinism::Where& at) {
  determinism::each_element(parts, at, [&](const AdaptiveTensor& tensor, std::uint64_t i) {
    rmsprop_element(tensor.w[i], tensor.gradient[i], tensor.v[i], rmsprop);
  });
}

}  // namespace retrial::nn::inline protocol
