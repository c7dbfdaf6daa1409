#include <ATen/TensorOperators.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

at::Tensor pkd(const std::vector<at::Tensor>& student, const std::vector<at::Tensor>& teacher) {
  at::Tensor sum;
  std::int64_t elements = 0;
  for (std::size_t i = 0; i < student.size(); ++i) {
    require_equal_channels(student[i], teacher[i], "pkd");
    const auto [s, t] = at_one_size(student[i], teacher[i].detach());
    const at::Tensor squares = (s - t).square().sum();
    sum = sum.defined() ? sum + squares : squares;
    elements += s.numel();
  }
  return sum / static_cast<double>(elements);
}

namespace {

const RegisterLoss pkd_term{"pkd", function_loss([](const Sight& sight, const Options&) {
                              return pkd(sight.student.stage, sight.teacher().stage);
                            })};

}  // namespace

}  // namespace retrial::distillation::inline losses
