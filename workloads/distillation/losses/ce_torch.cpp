#include <ATen/ops/cross_entropy_loss.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

at::Tensor ce(const at::Tensor& student, const at::Tensor& labels) {
  return at::cross_entropy_loss(student, labels);
}

namespace {

const RegisterLoss ce_term{
    "ce", function_loss([](const Sight& sight, const Options&) { return ce(sight.student.logits, sight.labels); })};

}  // namespace

}  // namespace retrial::distillation::inline losses
