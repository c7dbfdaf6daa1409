#pragma once

#include "workloads/nn/protocol/sgd.hpp"
#include "workloads/nn/protocol/sgd_step.hpp"

namespace retrial::distillation::inline trial {

/// The numbers of dot_step as its arithmetic takes them; `slow` and `fast` are the two momenta.
struct DotNumbers {
  float rate, slow, fast, decay;
};

[[nodiscard]] inline DotNumbers dot_numbers(double lr, double delta, const nn::Sgd& sgd) {
  return {static_cast<float>(lr), static_cast<float>(sgd.momentum - delta), static_cast<float>(sgd.momentum + delta),
          static_cast<float>(sgd.weight_decay)};
}

/// dot_step on one element.
RETRIAL_HD void dot_element(float& w, float gradient, float imitation, float& v, float& u, const DotNumbers& dot) {
  v = dot.slow * v + (gradient + dot.decay * w);
  u = dot.fast * u + imitation;
  w = w - dot.rate * (v + u);
}

/// One trained tensor on a device, as nn::SgdTensor.
struct DotTensor {
  float* w;
  const float *gradient, *imitation;
  float *v, *u;
  const std::uint32_t* live;
};

/// The body of the kernel, as nn::sgd_parts. `numbers` without the rate, which is read from the device.
RETRIAL_HD void dot_parts(const determinism::Parts<DotTensor>& parts, const nn::UpdateControl& control,
                          DotNumbers numbers, const determinism::Where& at) {
  if (*control.proceed == 0) return;
  numbers.rate = *control.rate;
  determinism::each_element(parts, at, [&](const DotTensor& tensor, std::uint64_t i) {
    float w = tensor.w[i], v = tensor.v[i], u = tensor.u[i];
    dot_element(w, tensor.gradient[i], tensor.imitation[i], v, u, numbers);
    const std::uint32_t live = tensor.live == nullptr ? ~std::uint32_t{0} : tensor.live[i];
    tensor.w[i] = nn::where_live(w, live);
    tensor.v[i] = nn::where_live(v, live);
    tensor.u[i] = nn::where_live(u, live);
  });
}

}  // namespace retrial::distillation::inline trial
