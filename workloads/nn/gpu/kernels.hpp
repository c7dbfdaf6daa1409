#pragma once

#include <cstdint>
#include <span>

#include "determinism/kernels/lists.hpp"
#include "determinism/seeds/drop.hpp"
#include "workloads/nn/gpu/gather.hpp"
#include "workloads/nn/gpu/ledger.hpp"
#include "workloads/nn/protocol/adaptive_step.hpp"
#include "workloads/nn/protocol/sgd.hpp"
#include "workloads/nn/protocol/sgd_step.hpp"

namespace retrial::nn::inline gpu {

/// The kernels of a training on a GPU. Each returns at once; they run in the order of their calls, with the operators
/// of LibTorch, on its default stream. All addresses are the device's. std::runtime_error with CUDA's text.
struct DeviceKernels {
  void (*gather)(const Gather& batch);
  void (*note)(const StepTerms& step, const Ledger& ledger);
  void (*settle)(std::span<const determinism::Listed<Settled>> tensors, const std::uint8_t* proceed);
  void (*drop)(const float* x, float* y, std::uint64_t n, const determinism::Drop& drop);
  void (*sgd)(std::span<const determinism::Listed<SgdTensor>> tensors, const UpdateControl& control, const Sgd& sgd);
  void (*adam)(std::span<const determinism::Listed<AdaptiveTensor>> tensors, const AdamNumbers& adam);
  void (*rmsprop)(std::span<const determinism::Listed<AdaptiveTensor>> tensors, const RmspropNumbers& rmsprop);
};

/// Those of this program; null: it trains on the CPU alone. The objects for CUDA set them as the program starts.
[[nodiscard]] const DeviceKernels* device_kernels();
/// Returns true, for use at start.
bool use_device_kernels(const DeviceKernels& kernels);

}  // namespace retrial::nn::inline gpu
