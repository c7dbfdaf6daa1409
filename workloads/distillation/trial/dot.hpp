#pragma once

#include <span>

#include "workloads/nn/protocol/sgd.hpp"

namespace retrial::distillation::inline trial {

/// Distillation-oriented training (Zhao et al., ICCV 2023): the gradients of the labels' terms and of the teacher's
/// have separate velocities, with a smaller and a larger momentum:
///     v = (momentum - delta) v + gradient + weight_decay * w;  u = (momentum + delta) u + imitation;
///     w = w - lr * (v + u).
/// There is no Nesterov form. A tensor with only one of the two gradients uses nn::sgd_step with `momentum`.
struct DotVelocities {
  std::span<float> task, imitation;
};
void dot_step(std::span<float> w, std::span<const float> gradient, std::span<const float> imitation,
              const DotVelocities& velocities, double lr, double delta, const nn::Sgd& sgd);

}  // namespace retrial::distillation::inline trial
