#include <ATen/TensorOperators.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

at::Tensor sfd_rows(const at::Tensor& student, const at::Tensor& teacher) {
  require_equal_channels(student, teacher, "sfd");
  return (student.amax({2, 3}) - teacher.detach().amax({2, 3}) + 1e-6).norm(2, {1});
}

at::Tensor sfd(const at::Tensor& student, const at::Tensor& teacher) {
  return sfd_rows(student, teacher).max();
}

namespace {

const RegisterLoss sfd_term{"sfd",
                            function_loss([](const Sight& sight, const Options&) { return over_stages(sight, sfd); })};

}  // namespace

}  // namespace retrial::distillation::inline losses
