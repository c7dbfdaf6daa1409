#pragma once

#include "workloads/nn/training/optimizer_torch.hpp"

namespace retrial::distillation::inline libtorch {

/// dot_step instead of SGD. All terms but that of the labels pull toward a teacher.
[[nodiscard]] nn::MakeOptimizer dot_optimizer(double delta);

}  // namespace retrial::distillation::inline libtorch
