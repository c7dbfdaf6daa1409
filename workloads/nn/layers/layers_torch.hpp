#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "workloads/nn/layers/model_torch.hpp"

namespace retrial::nn::inline layers {

/// Layers over tensors that a model owns: they hold references and no state of their own. A pass is only read for its
/// `watch` function.
///
/// A layer may be factorized: `basis` (groups * rank, inputs / groups, taps) is applied first, each group of inputs
/// with its own rows, then `weight` (outputs, groups * rank), without taps, to the result.
struct Linear {
  at::Tensor weight, bias, basis = {};
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const Pass& pass = {}) const;
};

/// Convolution with an odd kernel, padded by half of it, no bias.
struct Conv {
  at::Tensor weight, basis = {};
  std::int64_t stride = 1;
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const Pass& pass = {}) const;
};

/// eps 1e-5, running variance unbiased.
struct BatchNorm {
  at::Tensor weight, bias, running_mean, running_var;
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const Pass& pass) const;
};

/// x with dropped elements 0 and kept ones divided by 1 - p; x itself in evaluation and for p = 0.
[[nodiscard]] at::Tensor drop(const at::Tensor& x, const std::string& layer, const Pass& pass);

}  // namespace retrial::nn::inline layers
