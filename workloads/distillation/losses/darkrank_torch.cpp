#include <ATen/TensorOperators.h>
#include <ATen/ops/logsumexp.h>

#include <algorithm>
#include <limits>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

at::Tensor darkrank(const at::Tensor& student, const at::Tensor& teacher) {
  require_batch(student, 3, "darkrank");
  constexpr double alpha = 3, beta = 3, itself = std::numeric_limits<float>::max();
  const std::int64_t ranks = std::min<std::int64_t>(4, student.size(0) - 1);
  at::Tensor far = distances(teacher.detach());
  far.fill_diagonal_(itself);
  const at::Tensor nearest = std::get<1>(far.sort(true, 1, false)).narrow(1, 0, ranks);
  const at::Tensor scores = (-alpha * distances(student).pow(beta)).gather(1, nearest);
  at::Tensor sum = scores.sum();
  for (std::int64_t i = 0; i < ranks; ++i) sum = sum - at::logsumexp(scores.narrow(1, i, ranks - i), {1}).sum();
  return -sum / static_cast<double>(student.size(0));
}

namespace {

const RegisterLoss darkrank_term{"darkrank", function_loss([](const Sight& sight, const Options&) {
                                   return darkrank(sight.student.pooled, sight.teacher().pooled);
                                 })};

}  // namespace

}  // namespace retrial::distillation::inline losses
