#pragma once

#include "workloads/nn/training/optimizer_torch.hpp"

namespace retrial::distillation::inline libtorch {

/// dot_step in the place of SGD. A term that is not the labels' pulls towards a teacher.
[[nodiscard]] nn::MakeOptimizer dot_optimizer(double delta);

}  // namespace retrial::distillation::inline libtorch
