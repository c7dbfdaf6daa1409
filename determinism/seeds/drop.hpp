#pragma once

#include <cstdint>

#include "determinism/digest/philox_device.cuh"
#include "determinism/kernels/parts.hpp"

namespace retrial::determinism::inline seeds {

/// Dropout of one layer at one step: y = x * (keep_mask ? factor : 0), each mask bit drawn where it is needed and
/// stored nowhere; the backward pass draws it again. `key` is derive(derive(K, "mask"), step) of keep_mask, 0 <= p
/// <= 1.
struct Drop {
  std::uint64_t key;
  double p;
  float factor;  ///< 1 / (1 - p); unused for p = 1
};

/// Element e of the layer. A product even where it is dropped, as on the CPU: -x becomes -0 and a NaN stays one.
RETRIAL_HD float dropped(float x, std::uint64_t e, const Drop& drop) {
  return x * (device::keep(device::block(drop.key, e, 0).word0, drop.p) ? drop.factor : 0.0F);
}

/// The body of its kernel.
RETRIAL_HD void drop_elements(const float* x, float* y, std::uint64_t n, const Drop& drop, const Where& at) {
  for (std::uint64_t e = at.block * at.threads + at.thread; e < n; e += at.blocks * at.threads)
    y[e] = dropped(x[e], e, drop);
}

/// On the device; x may be y. `stream` is a cudaStream_t. Throws std::runtime_error with CUDA's text.
void drop_on_device(const float* x, float* y, std::uint64_t n, const Drop& drop, void* stream);

}  // namespace retrial::determinism::inline seeds
