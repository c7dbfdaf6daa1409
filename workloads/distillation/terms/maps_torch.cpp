#include "workloads/distillation/terms/maps_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/eye.h>

#include <algorithm>

#include "variance/numbers/error.hpp"

namespace retrial::distillation::inline terms {

at::Tensor unit(const at::Tensor& x, std::int64_t dimension) {
  return x / x.norm(2, {dimension}, true).clamp_min(1e-12);
}

at::Tensor averaged(const at::Tensor& map, std::int64_t height, std::int64_t width) {
  return map.size(2) == height && map.size(3) == width ? map : at::adaptive_avg_pool2d(map, {height, width});
}

std::pair<at::Tensor, at::Tensor> at_one_size(const at::Tensor& a, const at::Tensor& b) {
  const std::int64_t height = std::min(a.size(2), b.size(2)), width = std::min(a.size(3), b.size(3));
  return {averaged(a, height, width), averaged(b, height, width)};
}

at::Tensor distances(const at::Tensor& points) {
  const at::Tensor squares = (points.unsqueeze(1) - points.unsqueeze(0)).square().sum({2});
  return squares.clamp_min(1e-12).sqrt() * (1 - at::eye(points.size(0), points.options()));
}

at::Tensor over_stages(const Sight& sight, at::Tensor (*value)(const at::Tensor&, const at::Tensor&)) {
  at::Tensor sum;
  for (std::size_t i = 0; i < sight.student.stage.size(); ++i) {
    const at::Tensor part = value(sight.student.stage[i], sight.teacher().stage[i].detach());
    sum = sum.defined() ? sum + part : part;
  }
  return sum;
}

void require_batch(const at::Tensor& x, std::int64_t min_rows, const std::string& method) {
  if (x.size(0) < min_rows)
    throw InvalidInput("batch", std::to_string(x.size(0)),
                       "at least " + std::to_string(min_rows) + ": method " + method +
                           " compares samples, so a batch of 1 is too small");
}

void require_equal_channels(const at::Tensor& student, const at::Tensor& teacher, const std::string& method) {
  if (student.size(1) != teacher.size(1))
    throw InvalidInput("student", std::to_string(student.size(1)) + " channels",
                       "the teacher's " + std::to_string(teacher.size(1)) + " with method " + method);
}

}  // namespace retrial::distillation::inline terms
