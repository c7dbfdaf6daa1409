#include "variance/components/reml_likelihood.hpp"

#include <cmath>
#include <numeric>
#include <utility>

namespace retrial::variance::inline components::reml_parts {
namespace {

double dot(const std::vector<double>& x, const std::vector<double>& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.columns; ++k)
      for (std::size_t j = 0; j < b.columns; ++j) out(i, j) += a(i, k) * b(k, j);
  return out;
}

std::vector<double> product(const Matrix& a, const std::vector<double>& x) {
  std::vector<double> out(a.rows, 0.0);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) out[i] += a(i, j) * x[j];
  return out;
}

double trace(const Matrix& a) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.rows; ++i) sum += a(i, i);
  return sum;
}

double trace_of_product(const Matrix& a, const Matrix& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) sum += a(i, j) * b(j, i);
  return sum;
}

/// The covariance K_s that component s adds in the basis, applied from the right; that of the noise is the identity.
Matrix times_kernel(const Model& model, const Matrix& a, std::size_t s) {
  return s < model.contrasts.kernels.size() ? product(a, model.contrasts.kernels[s]) : a;
}

std::vector<double> kernel_times(const Model& model, std::size_t s, const std::vector<double>& x) {
  return s < model.contrasts.kernels.size() ? product(model.contrasts.kernels[s], x) : x;
}

/// The contrasts outside the basis: their sum of squares over the variance of the noise is chi-squared.
void add_rest(const Model& model, const Point& point, Slope& slope) {
  if (!(model.rest() > 0.0)) return;
  const std::size_t s = model.components() - 1;
  const double noise = point.variances[s], once = model.rest() / noise, twice = once / noise;
  const double squares = model.scores.rest / (noise * noise);
  slope.gradient[s] += once - squares;
  slope.expected(s, s) += twice;
  slope.observed(s, s) += 2.0 * squares / noise - twice;
}

}  // namespace

std::optional<Point> point_at(const Model& model, std::vector<double> variances) {
  const double noise = model.noise ? variances.back() : 0.0;
  if (model.rest() > 0.0 && !(noise > 0.0)) return std::nullopt;
  const std::size_t size = model.contrasts.size();
  Matrix v(size, size);
  for (std::size_t s = 0; s < model.contrasts.kernels.size(); ++s)
    for (std::size_t i = 0; i < v.values.size(); ++i)
      v.values[i] += variances[s] * model.contrasts.kernels[s].values[i];
  for (std::size_t i = 0; i < size; ++i) v(i, i) += noise;
  auto root = cholesky(std::move(v));
  if (!root) return std::nullopt;
  Point point{.variances = std::move(variances), .root = *std::move(root)};
  point.weighted = solve(point.root, model.scores.values);
  point.deviance = log_determinant(point.root) + dot(model.scores.values, point.weighted) +
                   std::log(static_cast<double>(model.contrasts.runs));
  if (model.rest() > 0.0) point.deviance += model.rest() * std::log(noise) + model.scores.rest / noise;
  if (!std::isfinite(point.deviance)) return std::nullopt;
  return point;
}

Slope slope_of(const Model& model, const Point& point) {
  const std::size_t components = model.components();
  Slope slope{.gradient = {}, .expected = {components, components}, .observed = {components, components}};
  const Matrix inverted = inverse(point.root);
  std::vector<Matrix> spread;
  std::vector<std::vector<double>> pulled;
  for (std::size_t s = 0; s < components; ++s) {
    spread.push_back(times_kernel(model, inverted, s));
    pulled.push_back(kernel_times(model, s, point.weighted));
    slope.gradient.push_back(trace(spread[s]) - dot(point.weighted, pulled[s]));
  }
  for (std::size_t s = 0; s < components; ++s) {
    const auto solved = product(inverted, pulled[s]);
    for (std::size_t t = 0; t <= s; ++t) {
      const double information = trace_of_product(spread[s], spread[t]);
      slope.expected(s, t) = slope.expected(t, s) = information;
      slope.observed(s, t) = slope.observed(t, s) = 2.0 * dot(solved, pulled[t]) - information;
    }
  }
  add_rest(model, point, slope);
  return slope;
}

FittedMean fitted_mean(const Model& model, const Point& point) {
  const Contrasts& contrasts = model.contrasts;
  const double runs = static_cast<double>(contrasts.runs);
  std::vector<double> with_mean(contrasts.size(), 0.0);
  double own = model.noise ? point.variances.back() : 0.0;
  for (std::size_t s = 0; s < contrasts.factors.size(); ++s) {
    own += point.variances[s] * contrasts.own_mean[s];
    for (std::size_t i = 0; i < with_mean.size(); ++i) with_mean[i] += point.variances[s] * contrasts.with_mean[s][i];
  }
  return {.value = model.scores.mean - dot(with_mean, point.weighted) / std::sqrt(runs),
          .variance = (own - dot(with_mean, solve(point.root, with_mean))) / runs};
}

Matrix overlaps(const Contrasts& contrasts, bool noise) {
  const std::size_t factors = contrasts.factors.size(), components = factors + (noise ? 1 : 0);
  Matrix out(components, components);
  for (std::size_t s = 0; s < factors; ++s) {
    for (std::size_t t = 0; t < factors; ++t) out(s, t) = trace_of_product(contrasts.kernels[s], contrasts.kernels[t]);
    if (noise) out(s, factors) = out(factors, s) = trace(contrasts.kernels[s]);
  }
  if (noise) out(factors, factors) = static_cast<double>(contrasts.runs - 1);
  return out;
}

}  // namespace retrial::variance::inline components::reml_parts
