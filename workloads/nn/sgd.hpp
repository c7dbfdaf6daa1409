#pragma once

#include <span>

namespace retrial::nn {

/// Stochastic gradient descent with momentum as LibTorch defines it, dampening 0.
struct Sgd {
  double momentum = 0, weight_decay = 0;
  bool nesterov = false;
};

/// One step on one tensor, in float32, one rounding per written operation:
///     g = gradient + weight_decay * w;  v = momentum * v + g (v starts at 0, so the first v is g);
///     w = w - lr * (nesterov ? g + momentum * v : v).
/// Written out here rather than taken from LibTorch: its fused kernel contracts multiplication and addition on some
/// instruction sets, and its loop over operators costs ten times as much for small models.
void sgd_step(std::span<float> w, std::span<const float> gradient, std::span<float> v, double lr, const Sgd& sgd);

/// Distillation-oriented training (Zhao et al., ICCV 2023): the gradients of the labels' terms and of the teacher's
/// keep velocities of their own, one slow to follow, one slow to forget:
///     v = (momentum - delta) v + gradient + weight_decay * w;  u = (momentum + delta) u + imitation;
///     w = w - lr * (v + u).
/// There is no Nesterov form. A tensor that only one of the two reaches takes sgd_step with `momentum`.
struct DotVelocities {
  std::span<float> task, imitation;
};
void dot_step(std::span<float> w, std::span<const float> gradient, std::span<const float> imitation,
              const DotVelocities& velocities, double lr, double delta, const Sgd& sgd);

}  // namespace retrial::nn
