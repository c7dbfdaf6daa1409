// A loss that a project adds to the workload distillation: in docs/workloads/extending.md.
#include <ATen/ops/huber_loss.h>

#include "workloads/distillation/terms/loss_torch.hpp"

namespace my_losses {
namespace {

using retrial::distillation::Options, retrial::distillation::RegisterLoss, retrial::distillation::Sight;

/// Half of the squared distance of two logits, beyond a distance of 1 the distance minus a half; the mean.
const RegisterLoss huber{"huber", retrial::distillation::function_loss([](const Sight& sight, const Options&) {
                           return at::huber_loss(sight.student.logits, sight.teacher().logits.detach());
                         })};

}  // namespace
}  // namespace my_losses
