#include <ATen/TensorOperators.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

at::Tensor attention(const at::Tensor& map) {
  return unit(map.square().mean({1}).flatten(1), 1);
}

at::Tensor at_loss(const at::Tensor& student, const at::Tensor& teacher, AtMode mode) {
  const auto [s, t] = at_one_size(student, teacher.detach());
  const at::Tensor difference = attention(s) - attention(t);
  return mode == AtMode::code ? difference.square().mean() : difference.norm(2, {1}).mean();
}

namespace {

at::Tensor at_of(const Sight& sight, const Options& options) {
  if (options.mode == "paper")
    return over_stages(sight, [](const at::Tensor& s, const at::Tensor& t) { return at_loss(s, t, AtMode::paper); });
  return over_stages(sight, [](const at::Tensor& s, const at::Tensor& t) { return at_loss(s, t, AtMode::code); });
}

const RegisterLoss at_term{"at", function_loss(at_of)};

}  // namespace

}  // namespace retrial::distillation::inline losses
