#include <ATen/TensorOperators.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

at::Tensor similarity_rows(const at::Tensor& features) {
  const at::Tensor x = features / (features.norm(2, {1}, true) + 1e-7), similar = (x.matmul(x.t()) + 1) / 2;
  return similar / similar.sum({1}, true);
}

const RegisterLoss pkt_term{"pkt", function_loss([](const Sight& sight, const Options&) {
                              return pkt(sight.student.pooled, sight.teacher().pooled);
                            })};

}  // namespace

at::Tensor pkt(const at::Tensor& student, const at::Tensor& teacher) {
  require_batch(student, 2, "pkt");
  constexpr double e = 1e-7;
  const at::Tensor s = similarity_rows(student), t = similarity_rows(teacher.detach());
  return (t * ((t + e) / (s + e)).log()).mean();
}

}  // namespace retrial::distillation::inline losses
