#pragma once

#include <cstdint>

#include "determinism/kernels/parts.hpp"

namespace retrial::nn::inline protocol {

/// The numbers of sgd_step as its arithmetic takes them.
struct SgdNumbers {
  float rate, momentum, decay;
};

/// sgd_step on one element.
template <bool nesterov>
RETRIAL_HD void sgd_element(float& w, float gradient, float& v, const SgdNumbers& sgd) {
  const float g = gradient + sgd.decay * w;
  v = sgd.momentum * v + g;
  if constexpr (nesterov)
    w = w - sgd.rate * (g + sgd.momentum * v);
  else
    w = w - sgd.rate * v;
}

/// 0 where no bit of the mask is set, else unchanged (all are): by multiplication a NaN would survive.
RETRIAL_HD float where_live(float value, std::uint32_t live) {
  return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, value) & live);
}

/// One trained tensor on a device. `live`: all bits set for elements that may change; null: all of them may.
struct SgdTensor {
  float* w;
  const float* gradient;
  float* v;
  const std::uint32_t* live;
};

/// Read from the device's memory by every thread of an update, so that no step waits for the host. `proceed` is 0
/// once an objective was not finite; the update then does nothing, as the CPU's loop has ended before it.
struct UpdateControl {
  const float* rate;
  const std::uint8_t* proceed;
};

/// The body of the kernel: sgd_step on a list of tensors, then elements that a mask holds at 0.
template <bool nesterov>
RETRIAL_HD void sgd_parts(const determinism::Parts<SgdTensor>& parts, const UpdateControl& control, float momentum,
                          float decay, const determinism::Where& at) {
  if (*control.proceed == 0) return;
  const SgdNumbers sgd{*control.rate, momentum, decay};
  determinism::each_element(parts, at, [&](const SgdTensor& tensor, std::uint64_t i) {
    float w = tensor.w[i], v = tensor.v[i];
    sgd_element<nesterov>(w, tensor.gradient[i], v, sgd);
    const std::uint32_t live = tensor.live == nullptr ? ~std::uint32_t{0} : tensor.live[i];
    tensor.w[i] = where_live(w, live);
    tensor.v[i] = where_live(v, live);
  });
}

}  // namespace retrial::nn::inline protocol
