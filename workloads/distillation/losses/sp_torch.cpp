#include <ATen/TensorOperators.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

at::Tensor similarities(const at::Tensor& features) {
  const at::Tensor rows = features.flatten(1);
  return unit(rows.matmul(rows.t()), 1);
}

/// The last maps, or the pooled features if a network has none.
at::Tensor sp_of(const Sight& sight, const Options&) {
  if (sight.student.stage.empty() || sight.teacher().stage.empty())
    return sp(sight.student.pooled, sight.teacher().pooled);
  return sp(sight.student.stage.back(), sight.teacher().stage.back());
}

const RegisterLoss sp_term{"sp", function_loss(sp_of)};

}  // namespace

at::Tensor sp(const at::Tensor& student, const at::Tensor& teacher) {
  require_batch(student, 2, "sp");
  return (similarities(teacher.detach()) - similarities(student)).square().mean();
}

}  // namespace retrial::distillation::inline losses
