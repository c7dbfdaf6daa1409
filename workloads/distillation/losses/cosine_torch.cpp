#include <ATen/TensorOperators.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

at::Tensor cosine(const at::Tensor& student, const at::Tensor& teacher) {
  const at::Tensor goal = teacher.detach();
  const at::Tensor lengths = (student.norm(2, {1}) * goal.norm(2, {1})).clamp_min(1e-8);
  return (1 - (student * goal).sum({1}) / lengths).mean();
}

namespace {

const RegisterLoss cosine_term{"cosine", function_loss([](const Sight& sight, const Options&) {
                                 return cosine(sight.student.logits, sight.teacher().logits);
                               })};

}  // namespace

}  // namespace retrial::distillation::inline losses
