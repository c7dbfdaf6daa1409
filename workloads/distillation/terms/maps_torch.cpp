#include "workloads/distillation/terms/maps_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "variance/numbers/error.hpp"

namespace retrial::distillation::inline terms {

at::Tensor unit(const at::Tensor& x, std::int64_t dimension) {
  return x / x.norm(2, {dimension}, true).clamp_min(1e-12);
}

namespace {

/// Row i averages the entries floor(i from / to) to ceil((i + 1) from / to) of a side: (to, from).
at::Tensor averages(std::int64_t from, std::int64_t to, const at::Tensor& like) {
  const at::Tensor shares = at::zeros({to, from}, at::kFloat);
  for (std::int64_t i = 0; i < to; ++i) {
    const std::int64_t begin = i * from / to, end = ((i + 1) * from + to - 1) / to;
    shares.select(0, i).narrow(0, begin, end - begin).fill_(1 / static_cast<double>(end - begin));
  }
  return shares.to(like.device(), like.scalar_type());
}

}  // namespace

at::Tensor averaged(const at::Tensor& map, std::int64_t height, std::int64_t width) {
  const std::int64_t rows = map.size(2), columns = map.size(3);
  if (rows == height && columns == width) return map;
  if (rows % height == 0 && columns % width == 0) return at::avg_pool2d(map, {rows / height, columns / width});
  return averages(rows, height, map).matmul(map).matmul(averages(columns, width, map).t());
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
