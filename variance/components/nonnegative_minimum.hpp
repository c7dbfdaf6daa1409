#pragma once

#include <optional>
#include <vector>

#include "variance/numbers/dense.hpp"

/// For .cpp files of `reml`: quadratic functions x'Ax / 2 - b'x.
namespace retrial::variance::inline components::reml_parts {

/// The minimum over the places in `free`, all others 0. Absent unless A is positive definite there.
[[nodiscard]] std::optional<std::vector<double>> minimum_over(const Matrix& a, const std::vector<double>& b,
                                                              const std::vector<bool>& free);
/// The minimum over x of 0 or more (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23). Places at the
/// border are exactly 0. Absent unless A is positive definite.
[[nodiscard]] std::optional<std::vector<double>> nonnegative_minimum(const Matrix& a, const std::vector<double>& b);

}  // namespace retrial::variance::inline components::reml_parts
