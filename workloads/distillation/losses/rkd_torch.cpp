#include <ATen/TensorOperators.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/smooth_l1_loss.h>

#include "variance/numbers/error.hpp"
#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

at::Tensor relative_distances(const at::Tensor& points) {
  const at::Tensor spread = (points.detach() - points.detach().narrow(0, 0, 1)).abs().max();
  if (spread.item().toDouble() == 0)
    throw InvalidInput("method", "rkd", "points that differ: their distances have zero spread");
  const at::Tensor d = distances(points);
  return d / d.masked_select(d > 0).mean();
}

/// Cosines of the angles at every point between every two others, (B, B, B).
at::Tensor angles(const at::Tensor& points) {
  const at::Tensor arms = unit(points.unsqueeze(0) - points.unsqueeze(1), 2);
  return at::bmm(arms, arms.transpose(1, 2));
}

const RegisterLoss rkd_distance_term{"rkd_distance", function_loss([](const Sight&sight, const Options&) {
                                       return rkd_distance(sight.student.pooled, sight.teacher().pooled);
                                     })},
    rkd_angle_term{"rkd_angle", function_loss([](const Sight&sight, const Options&) {
                     return rkd_angle(sight.student.pooled, sight.teacher().pooled);
                   })};

}  // namespace

at::Tensor rkd_distance(const at::Tensor& student, const at::Tensor& teacher) {
  require_batch(student, 2, "rkd");
  return at::smooth_l1_loss(relative_distances(student), relative_distances(teacher.detach()));
}

at::Tensor rkd_angle(const at::Tensor& student, const at::Tensor& teacher) {
  require_batch(student, 2, "rkd");
  return at::smooth_l1_loss(angles(student), angles(teacher.detach()));
}

}  // namespace retrial::distillation::inline losses
