#pragma once

#include <span>

#include "determinism/kernels/lists.hpp"
#include "workloads/distillation/trial/dot.hpp"
#include "workloads/distillation/trial/dot_step.hpp"

namespace retrial::distillation::inline trial {

/// dot_step on all tensors in one launch, as nn::sgd_step_on_device.
void dot_step_on_device(std::span<const determinism::Listed<DotTensor>> tensors, const nn::UpdateControl& control,
                        double delta, const nn::Sgd& sgd, void* stream);

/// dot_step_on_device on the default stream, in a program with the objects for CUDA, which set it at start; else null.
using DotKernel = void (*)(std::span<const determinism::Listed<DotTensor>> tensors, const nn::UpdateControl& control,
                           double delta, const nn::Sgd& sgd);
[[nodiscard]] DotKernel& dot_kernel();

}  // namespace retrial::distillation::inline trial
