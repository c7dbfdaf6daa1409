#pragma once

#include <span>

namespace retrial::nn::inline protocol {

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

}  // namespace retrial::nn::inline protocol
