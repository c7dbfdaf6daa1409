#include <ATen/TensorOperators.h>
#include <ATen/ops/softmax.h>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

/// Pearson correlation of the rows of two matrices.
at::Tensor pearson(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor x = a - a.mean({1}, true), y = b - b.mean({1}, true);
  return (x * y).sum({1}) / (x.norm(2, {1}) * y.norm(2, {1}) + 1e-8);
}

at::Tensor dist_probabilities(const at::Tensor& logits, double temperature) {
  return at::softmax(logits / temperature, 1);
}

const RegisterLoss dist_inter_term{"dist_inter", function_loss([](const Sight&sight, const Options&options) {
                                     return dist_inter(sight.student.logits, sight.teacher().logits,
                                                       options.weights.temperature);
                                   })},
    dist_intra_term{"dist_intra", function_loss([](const Sight&sight, const Options&options) {
                      return dist_intra(sight.student.logits, sight.teacher().logits, options.weights.temperature);
                    })};

}  // namespace

at::Tensor dist_inter(const at::Tensor& student, const at::Tensor& teacher, double temperature) {
  return temperature * temperature *
         (1 -
          pearson(dist_probabilities(student, temperature), dist_probabilities(teacher.detach(), temperature)).mean());
}

at::Tensor dist_intra(const at::Tensor& student, const at::Tensor& teacher, double temperature) {
  require_batch(student, 2, "dist");
  return temperature * temperature *
         (1 -
          pearson(dist_probabilities(student, temperature).t(), dist_probabilities(teacher.detach(), temperature).t())
              .mean());
}

}  // namespace retrial::distillation::inline losses
