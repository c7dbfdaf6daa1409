#include "workloads/nn/layers/layers_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>

#include <algorithm>

#include "determinism/seeds/seeds.hpp"
#include "variance/random/rng.hpp"
#include "workloads/nn/gpu/kernels.hpp"

namespace retrial::nn::inline layers {

namespace {

at::Tensor watched(const at::Tensor& weight, const at::Tensor& x, at::Tensor y, std::int64_t stride, const Pass& pass) {
  if (pass.watch != nullptr) (*pass.watch)({.weight = weight, .input = x, .output = y, .stride = stride});
  return y;
}

/// Features in consecutive groups, each with its own rows.
at::Tensor in_groups(const at::Tensor& x, const at::Tensor& basis) {
  const std::int64_t groups = x.size(1) / basis.size(1);
  if (groups == 1) return at::linear(x, basis);
  const at::Tensor parts = x.view({x.size(0), groups, basis.size(1)}).transpose(0, 1),
                   rows = basis.view({groups, basis.size(0) / groups, basis.size(1)}).transpose(1, 2);
  return at::bmm(parts, rows).transpose(0, 1).reshape({x.size(0), basis.size(0)});
}

}  // namespace

at::Tensor Linear::operator()(const at::Tensor& x, const Pass& pass) const {
  const at::Tensor from = basis.defined() ? watched(basis, x, in_groups(x, basis), 1, pass) : x;
  return watched(weight, from, at::linear(from, weight, bias), 1, pass);
}

at::Tensor Conv::operator()(const at::Tensor& x, const Pass& pass) const {
  if (!basis.defined()) return watched(weight, x, at::conv2d(x, weight, {}, stride, weight.size(2) / 2), stride, pass);
  const std::int64_t groups = x.size(1) / basis.size(1);
  const at::Tensor from =
      watched(basis, x, at::conv2d(x, basis, {}, stride, basis.size(2) / 2, 1, groups), stride, pass);
  return watched(weight, from, at::conv2d(from, weight), 1, pass);
}

at::Tensor BatchNorm::operator()(const at::Tensor& x, const Pass& pass) const {
  constexpr double eps = 1e-5;
  return at::batch_norm(x, weight, bias, running_mean, running_var, pass.training, pass.momentum, eps, true);
}

namespace {

/// On a GPU the bits of a mask are drawn where they are needed: a kernel drops from ones.
at::Tensor drawn_mask(const at::Tensor& x, const std::string& layer, const Dropout& dropout) {
  const std::uint64_t key =
      variance::derive(variance::derive(variance::derive(dropout.seed, layer), "mask"), dropout.step);
  const at::Tensor mask = at::ones(x.sizes(), x.options().requires_grad(false));
  auto* const values = mask.data_ptr<float>();
  device_kernels()->drop(values, values, static_cast<std::uint64_t>(mask.numel()),
                         {.key = key, .p = dropout.p, .factor = static_cast<float>(1 / (1 - dropout.p))});
  return mask;
}

}  // namespace

at::Tensor drop(const at::Tensor& x, const std::string& layer, const Pass& pass) {
  if (!pass.training || !pass.dropout || pass.dropout->p == 0) return x;
  const Dropout& dropout = *pass.dropout;
  if (!x.is_cpu()) return x * drawn_mask(x, layer, dropout);
  const auto kept = determinism::keep_mask(variance::derive(dropout.seed, layer), dropout.step, dropout.p,
                                           static_cast<std::size_t>(x.numel()));
  const auto factor = static_cast<float>(1 / (1 - dropout.p));
  const at::Tensor mask = at::empty(x.sizes(), at::kFloat);
  std::transform(kept.begin(), kept.end(), mask.data_ptr<float>(),
                 [&](std::uint8_t keep) { return keep != 0 ? factor : 0.0F; });
  return x * mask;
}

}  // namespace retrial::nn::inline layers
