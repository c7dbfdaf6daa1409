#include <ATen/TensorOperators.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

at::Tensor standardised(const at::Tensor& logits) {
  return (logits - logits.mean({1}, true)) / (1e-7 + logits.std({1}, true, true));
}

const RegisterLoss lstd_term{"lstd", function_loss([](const Sight& sight, const Options& options) {
                               return lstd(sight.student.logits, sight.teacher().logits, options.weights);
                             })};

}  // namespace

at::Tensor lstd(const at::Tensor& student, const at::Tensor& teacher, const Weights& weights) {
  return soft(standardised(student), standardised(teacher.detach()), weights);
}

}  // namespace retrial::distillation::inline losses
