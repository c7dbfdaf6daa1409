#include <ATen/TensorOperators.h>
#include <ATen/ops/bmm.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

/// mean over pairs of channels of (a . b)^2.
at::Tensor channel_kernel(const at::Tensor& a, const at::Tensor& b) {
  return at::bmm(a, b.transpose(1, 2)).square().mean();
}

const RegisterLoss nst_term{"nst",
                            function_loss([](const Sight& sight, const Options&) { return over_stages(sight, nst); })};

}  // namespace

at::Tensor nst(const at::Tensor& student, const at::Tensor& teacher) {
  const auto [a, b] = at_one_size(student, teacher.detach());
  const at::Tensor s = unit(a.flatten(2), 2), t = unit(b.flatten(2), 2);
  return channel_kernel(t, t) + channel_kernel(s, s) - 2 * channel_kernel(s, t);
}

}  // namespace retrial::distillation::inline losses
