#include <ATen/TensorOperators.h>
#include <ATen/ops/bmm.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

at::Tensor flow(const at::Tensor& first, const at::Tensor& second) {
  const auto [a, b] = at_one_size(first, second);
  return at::bmm(a.flatten(2), b.flatten(2).transpose(1, 2)) / static_cast<double>(a.size(2) * a.size(3));
}

namespace {

at::Tensor fsp_of(const Sight& sight, const Options&) {
  at::Tensor sum;
  const std::vector<at::Tensor>&s = sight.student.stage, &t = sight.teacher().stage;
  for (std::size_t i = 0; i + 1 < s.size(); ++i) {
    require_equal_channels(s[i], t[i], "fsp");
    require_equal_channels(s[i + 1], t[i + 1], "fsp");
    const at::Tensor part = (flow(s[i], s[i + 1]) - flow(t[i], t[i + 1]).detach()).square().mean();
    sum = sum.defined() ? sum + part : part;
  }
  return sum;
}

const RegisterLoss fsp_term{"fsp", function_loss(fsp_of)};

}  // namespace

}  // namespace retrial::distillation::inline losses
