#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>

#include "workloads/distillation/terms/loss_torch.hpp"

namespace retrial::distillation::inline terms {

/// x / max(|x|, 1e-12) along a dimension.
[[nodiscard]] at::Tensor unit(const at::Tensor& x, std::int64_t dimension);
/// A map averaged to another size, as adaptive_avg_pool2d does it, which has no deterministic gradient on a GPU;
/// unchanged if it has that size.
[[nodiscard]] at::Tensor averaged(const at::Tensor& map, std::int64_t height, std::int64_t width);
/// Both at the smaller of their sizes.
[[nodiscard]] std::pair<at::Tensor, at::Tensor> at_one_size(const at::Tensor& a, const at::Tensor& b);
/// (B, B) distances sqrt(max(|x_i - x_j|^2, 1e-12)), diagonal 0; from differences, which keep all digits.
[[nodiscard]] at::Tensor distances(const at::Tensor& points);

/// Sum over the stages, the teacher's maps without gradient.
[[nodiscard]] at::Tensor over_stages(const Sight& sight, at::Tensor (*value)(const at::Tensor&, const at::Tensor&));

/// Throw InvalidInput naming the method.
void require_batch(const at::Tensor& x, std::int64_t min_rows, const std::string& method);
void require_equal_channels(const at::Tensor& student, const at::Tensor& teacher, const std::string& method);

}  // namespace retrial::distillation::inline terms
