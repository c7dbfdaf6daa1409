#include "workloads/nn/layers_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>

#include <algorithm>

#include "determinism/seeds.hpp"
#include "variance/rng.hpp"

namespace retrial::nn {

namespace {

at::Tensor watched(const at::Tensor& weight, const at::Tensor& x, at::Tensor y, std::int64_t stride, const Pass& pass) {
  if (pass.watch != nullptr) (*pass.watch)({.weight = weight, .input = x, .output = y, .stride = stride});
  return y;
}

}  // namespace

at::Tensor Linear::operator()(const at::Tensor& x, const Pass& pass) const {
  return watched(weight, x, at::linear(x, weight, bias), 1, pass);
}

at::Tensor Conv::operator()(const at::Tensor& x, const Pass& pass) const {
  return watched(weight, x, at::conv2d(x, weight, {}, stride, weight.size(2) / 2), stride, pass);
}

at::Tensor BatchNorm::operator()(const at::Tensor& x, const Pass& pass) const {
  constexpr double momentum = .1, eps = 1e-5;
  return at::batch_norm(x, weight, bias, running_mean, running_var, pass.training, momentum, eps, true);
}

at::Tensor drop(const at::Tensor& x, const std::string& layer, const Pass& pass) {
  if (!pass.training || !pass.dropout || pass.dropout->p == 0) return x;
  const Dropout& dropout = *pass.dropout;
  const auto kept = determinism::keep_mask(variance::derive(dropout.seed, layer), dropout.step, dropout.p,
                                           static_cast<std::size_t>(x.numel()));
  const auto factor = static_cast<float>(1 / (1 - dropout.p));
  const at::Tensor mask = at::empty(x.sizes(), at::kFloat);
  std::transform(kept.begin(), kept.end(), mask.data_ptr<float>(),
                 [&](std::uint8_t keep) { return keep != 0 ? factor : 0.0F; });
  return x * mask;
}

}  // namespace retrial::nn
