#pragma once

#include <span>

#include "determinism/kernels/lists.hpp"
#include "workloads/nn/protocol/sgd.hpp"
#include "workloads/nn/protocol/sgd_step.hpp"

namespace retrial::nn::inline protocol {

/// sgd_step on all tensors in one launch (one for each 512 of them), with the CPU's bits for equal gradients; the rate
/// is read from the device. Returns at once. `stream` is a cudaStream_t. Throws std::runtime_error with CUDA's text.
void sgd_step_on_device(std::span<const determinism::Listed<SgdTensor>> tensors, const UpdateControl& control,
                        const Sgd& sgd, void* stream);

}  // namespace retrial::nn::inline protocol
