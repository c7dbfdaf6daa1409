#include "workloads/pipeline/engine/optimizers.hpp"

#include <algorithm>
#include <cmath>

#include "workloads/pipeline/arithmetic/kernels.hpp"

namespace retrial::pipeline::inline engine {
namespace {

using Floats = std::vector<float>;

Floats transposed(const Floats& from, std::size_t rows, std::size_t columns) {
  Floats to(from.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
  return to;
}

/// rows x inner times inner x columns; each element is summed in index order.
Floats product(const Floats& a, const Floats& b, std::size_t rows, std::size_t inner, std::size_t columns) {
  Floats made(rows * columns, 0.0F);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < inner; ++k)
      add_scaled<float>(std::span(made).subspan(i * columns, columns), a[i * inner + k],
                        std::span(b).subspan(k * columns, columns));
  return made;
}

double power(double base, std::int64_t exponent) {
  double made = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 == 1) made *= base;
  return made;
}

}  // namespace

template <typename Real>
OptimizerState<Real> optimizer_state(Optimizer optimizer, std::size_t parameters) {
  OptimizerState<Real> made;
  made.velocity.assign(parameters, Real{0});
  if (optimizer == Optimizer::adam) made.second.assign(parameters, Real{0});
  if (optimizer != Optimizer::sgdm) made.direction.assign(parameters, Real{0});
  return made;
}

template <typename Real>
void adam_step(std::span<Real> weights, OptimizerState<Real>& state, std::span<const Real> gradient, double lr,
               std::int64_t update) {
  constexpr double first = .9, second = .999;
  constexpr auto beta1 = static_cast<Real>(first), beta2 = static_cast<Real>(second), eps = static_cast<Real>(1e-8);
  const auto unbias1 = static_cast<Real>(1 / (1 - power(first, update + 1))),
             unbias2 = static_cast<Real>(1 / (1 - power(second, update + 1))), rate = static_cast<Real>(lr);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    Real &m = state.velocity[i], &v = state.second[i], &direction = state.direction[i];
    m = beta1 * m + (Real{1} - beta1) * gradient[i];
    v = beta2 * v + (Real{1} - beta2) * (gradient[i] * gradient[i]);
    direction = (m * unbias1) / (std::sqrt(v * unbias2) + eps);
    weights[i] -= rate * direction;
  }
}

std::vector<float> orthogonalized(std::vector<float> matrix, std::size_t rows, std::size_t columns) {
  float square = 0;
  for (const float x : matrix) square += x * x;
  const float norm = std::sqrt(square) + 1e-7F;
  for (float& x : matrix) x /= norm;
  const bool tall = rows > columns;
  if (tall) matrix = transposed(matrix, rows, columns);
  const std::size_t r = std::min(rows, columns), c = std::max(rows, columns);
  for (int round = 0; round < 5; ++round) {
    const Floats a = product(matrix, transposed(matrix, r, c), r, c, r);
    Floats b = product(a, a, r, r, r);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = -4.775F * a[i] + 2.0315F * b[i];
    const Floats change = product(b, matrix, r, r, c);
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = 3.4445F * matrix[i] + change[i];
  }
  return tall ? transposed(matrix, r, c) : matrix;
}

template <typename Real>
void muon_step(const Layer& layer, std::span<Real> weights, OptimizerState<Real>& state, std::span<const Real> gradient,
               double momentum, double lr) {
  const auto rows = static_cast<std::size_t>(layer.rows()), columns = static_cast<std::size_t>(layer.columns()),
             count = layer.maps > 0 ? 0 : rows * columns;
  const auto m = static_cast<Real>(momentum), rate = static_cast<Real>(lr);
  for (std::size_t i = 0; i < weights.size(); ++i) state.velocity[i] = m * state.velocity[i] + gradient[i];
  Floats matrix(count);  // the weights are stored input by input
  for (std::size_t i = 0; i < count; ++i) matrix[i] = static_cast<float>(gradient[i] + m * state.velocity[i]);
  if (count > 0) matrix = transposed(orthogonalized(transposed(matrix, columns, rows), rows, columns), rows, columns);
  const auto scale =
      static_cast<float>(std::sqrt(std::max(1.0, static_cast<double>(rows) / static_cast<double>(columns))));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    state.direction[i] = i < count ? static_cast<Real>(scale * matrix[i]) : state.velocity[i];
    weights[i] -= rate * state.direction[i];
  }
}

#define RETRIAL_INSTANCES(Real)                                                                                 \
  template OptimizerState<Real> optimizer_state(Optimizer, std::size_t);                                        \
  template void adam_step(std::span<Real>, OptimizerState<Real>&, std::span<const Real>, double, std::int64_t); \
  template void muon_step(const Layer&, std::span<Real>, OptimizerState<Real>&, std::span<const Real>, double, double);
RETRIAL_INSTANCES(float)
RETRIAL_INSTANCES(double)
#undef RETRIAL_INSTANCES

}  // namespace retrial::pipeline::inline engine
