// Tensors and comparisons that the tests of the losses share.
#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <functional>

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/distillation/losses/losses_torch.hpp"

namespace retrial::test {

inline at::Tensor numbers(const std::vector<double>& values, at::IntArrayRef sizes) {
  return at::tensor(values, at::kDouble).view(sizes);
}
inline at::Tensor matrix(const std::vector<double>& values, std::int64_t rows) {
  return numbers(values, {rows, static_cast<std::int64_t>(values.size()) / rows});
}
inline at::Tensor labels(const std::vector<std::int64_t>& values) {
  return at::tensor(values, at::kLong);
}
inline double value(const at::Tensor& tensor) {
  return tensor.item().toDouble();
}
/// Normal numbers, the same on every machine.
inline at::Tensor random(std::uint64_t key, at::IntArrayRef sizes, double sd = 1) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  std::vector<double> values;
  variance::Stream draws(key);
  for (std::int64_t i = 0; i < count; ++i) values.push_back(sd * variance::normal(draws.next()));
  return numbers(values, sizes);
}

/// A loss of two sides has its reference in double, and in float32 within its own tolerance.
using PairLoss = std::function<at::Tensor(const at::Tensor&, const at::Tensor&)>;
inline void check_pair(const PairLoss& loss, const at::Tensor& s, const at::Tensor& t, double expected,
                       double tolerance = 1e-10) {
  CHECK_THAT(value(loss(s, t)), WithinRel(expected, tolerance));
  CHECK_THAT(value(loss(s.to(at::kFloat), t.to(at::kFloat))), WithinRel(expected, std::max(1e-5, tolerance)));
}

/// The gradient with respect to the student against central differences.
inline void check_gradient(const PairLoss& loss, const at::Tensor& s, const at::Tensor& t) {
  const at::Tensor leaf = s.clone().contiguous().requires_grad_(true);
  loss(leaf, t).backward();
  const at::Tensor slope = leaf.grad().contiguous();
  constexpr double h = 1e-5;
  double largest = 0;
  for (std::int64_t i = 0; i < s.numel(); ++i) {
    at::Tensor up = s.clone().contiguous(), down = s.clone().contiguous();
    up.data_ptr<double>()[i] += h;
    down.data_ptr<double>()[i] -= h;
    const double numeric = (value(loss(up, t)) - value(loss(down, t))) / (2 * h), found = slope.data_ptr<double>()[i];
    CHECK_THAT(found, WithinAbs(numeric, 1e-6 * (std::abs(numeric) + 1e-2)));
    largest = std::max(largest, std::abs(found));
  }
  CHECK(largest > 1e-8);
}

}  // namespace retrial::test
