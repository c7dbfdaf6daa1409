#include "variance/components/reml_likelihood.hpp"

#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace retrial::variance::inline components::reml_parts {
namespace {

/// Z'x: sums over the runs of each level.
std::vector<double> level_sums(const Effects& effects, const std::vector<double>& x) {
  std::vector<double> sums(effects.columns(), 0.0);
  for (std::size_t f = 0; f < effects.factors.size(); ++f)
    for (std::size_t i = 0; i < effects.runs; ++i) sums[effects.column(f, i)] += x[i];
  return sums;
}

/// The square root of each level's variance.
std::vector<double> roots_of(const Effects& effects, const std::vector<double>& variances) {
  std::vector<double> roots;
  for (std::size_t f = 0; f < effects.factors.size(); ++f)
    roots.insert(roots.end(), effects.factors[f].levels, std::sqrt(variances[f]));
  return roots;
}

/// V^-1 by Woodbury's identity: (I - Z G^1/2 C^-1 G^1/2 Z' / noise) / noise.
struct Inverse {
  const Effects& effects;
  std::vector<double> roots;
  double noise;
  Matrix l;  ///< Cholesky factor of C = I + G^1/2 Z'Z G^1/2 / noise

  [[nodiscard]] std::vector<double> shrunken(std::vector<double> sums) const {
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] *= roots[j];
    sums = solve(l, std::move(sums));
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] *= roots[j] / noise;
    return sums;
  }
  [[nodiscard]] std::vector<double> times(const std::vector<double>& x) const {
    const auto effect = shrunken(level_sums(effects, x));
    std::vector<double> out = x;
    for (std::size_t f = 0; f < effects.factors.size(); ++f)
      for (std::size_t i = 0; i < out.size(); ++i) out[i] -= effect[effects.column(f, i)];
    for (double& value : out) value /= noise;
    return out;
  }
  [[nodiscard]] double log_determinant() const {
    return static_cast<double>(effects.runs) * std::log(noise) + variance::log_determinant(l);
  }
};

std::optional<Inverse> inverse_at(const Effects& effects, const std::vector<double>& variances) {
  const double noise = variances.back();
  if (!(noise > 0.0)) return std::nullopt;
  auto roots = roots_of(effects, variances);
  Matrix c(roots.size(), roots.size());
  for (std::size_t i = 0; i < c.rows; ++i)
    for (std::size_t j = 0; j < c.rows; ++j)
      c(i, j) = (i == j ? 1.0 : 0.0) + roots[i] * effects.counts(i, j) * roots[j] / noise;
  auto l = cholesky(std::move(c));
  if (!l) return std::nullopt;
  return Inverse{effects, std::move(roots), noise, *std::move(l)};
}

Matrix shrink_of(const Inverse& inverse) {
  const std::size_t columns = inverse.effects.columns();
  Matrix out(columns, columns);
  for (std::size_t j = 0; j < columns; ++j) {
    std::vector<double> counts(columns);
    for (std::size_t i = 0; i < columns; ++i) counts[i] = inverse.effects.counts(i, j);
    const auto column = inverse.shrunken(std::move(counts));
    for (std::size_t i = 0; i < columns; ++i) out(i, j) = column[i];
  }
  return out;
}

/// P Z, a row for each run.
Matrix projected(const Point& point, const Effects& effects) {
  const auto sums = level_sums(effects, point.weights);
  const double noise = point.variances.back();
  Matrix out(effects.runs, effects.columns());
  for (std::size_t i = 0; i < out.rows; ++i) {
    double* row = out.values.data() + i * out.columns;
    for (std::size_t f = 0; f < effects.factors.size(); ++f) {
      const std::size_t own = effects.column(f, i);
      const double* shrunken = point.shrink.values.data() + own * out.columns;
      for (std::size_t j = 0; j < out.columns; ++j) row[j] -= shrunken[j] / noise;
      row[own] += 1.0 / noise;
    }
    for (std::size_t j = 0; j < out.columns; ++j) row[j] -= point.weights[i] * sums[j] / point.precision;
  }
  return out;
}

/// tr P and tr P^2.
std::pair<double, double> traces(const Point& point, const Effects& effects) {
  const double noise = point.variances.back(), runs = static_cast<double>(effects.runs);
  double once = 0.0, twice = 0.0;
  for (std::size_t i = 0; i < effects.columns(); ++i) {
    once += point.shrink(i, i);
    for (std::size_t j = 0; j < effects.columns(); ++j) twice += point.shrink(i, j) * point.shrink(j, i);
  }
  const auto dot = [&](const std::vector<double>& x) {
    return std::inner_product(x.begin(), x.end(), point.weights.begin(), 0.0) / point.precision;
  };
  const double squares = dot(point.weights), cubes = dot(point.reweighted);
  return {(runs - once) / noise - squares,
          (runs - 2.0 * once + twice) / (noise * noise) - 2.0 * cubes + squares * squares};
}

}  // namespace

Effect effect_of(const std::vector<std::uint32_t>& names) {
  std::map<std::uint32_t, std::size_t> seen;
  Effect effect;
  for (const auto name : names) effect.level.push_back(seen.emplace(name, seen.size()).first->second);
  effect.levels = seen.size();
  return effect;
}

Effects effects_of(std::vector<Effect> factors, std::size_t runs) {
  Effects out{.runs = runs, .factors = std::move(factors), .first = {0}};
  for (const Effect& factor : out.factors) out.first.push_back(out.first.back() + factor.levels);
  out.counts = Matrix(out.columns(), out.columns());
  for (std::size_t f = 0; f < out.factors.size(); ++f)
    for (std::size_t g = 0; g < out.factors.size(); ++g)
      for (std::size_t i = 0; i < runs; ++i) out.counts(out.column(f, i), out.column(g, i)) += 1.0;
  return out;
}

std::optional<Point> point_at(std::span<const double> y, const Effects& effects, std::vector<double> variances) {
  const auto inverse = inverse_at(effects, variances);
  if (!inverse) return std::nullopt;
  Point point{.variances = std::move(variances)};
  point.weights = inverse->times(std::vector<double>(y.size(), 1.0));
  point.reweighted = inverse->times(point.weights);
  point.precision = std::accumulate(point.weights.begin(), point.weights.end(), 0.0);
  point.mean = std::inner_product(point.weights.begin(), point.weights.end(), y.begin(), 0.0) / point.precision;
  std::vector<double> centred(y.begin(), y.end());
  for (double& x : centred) x -= point.mean;
  point.py = inverse->times(centred);
  point.deviance = inverse->log_determinant() + std::log(point.precision) +
                   std::inner_product(centred.begin(), centred.end(), point.py.begin(), 0.0);
  point.shrink = shrink_of(*inverse);
  return point;
}

Slope slope_of(const Point& point, const Effects& effects) {
  const std::size_t factors = effects.factors.size();
  Slope slope{.gradient = std::vector<double>(factors + 1, 0.0), .information = Matrix(factors + 1, factors + 1)};
  const Matrix pz = projected(point, effects);
  Matrix zpz(effects.columns(), effects.columns());
  for (std::size_t f = 0; f < factors; ++f)
    for (std::size_t i = 0; i < pz.rows; ++i)
      for (std::size_t j = 0; j < pz.columns; ++j) zpz(effects.column(f, i), j) += pz(i, j);
  const auto sums = level_sums(effects, point.py);
  for (std::size_t f = 0; f < factors; ++f) {
    for (std::size_t j = effects.first[f]; j < effects.first[f + 1]; ++j) {
      slope.gradient[f] += zpz(j, j) - sums[j] * sums[j];
      for (std::size_t g = 0; g < factors; ++g)
        for (std::size_t i = effects.first[g]; i < effects.first[g + 1]; ++i)
          slope.information(g, f) += zpz(i, j) * zpz(i, j);
      for (std::size_t i = 0; i < pz.rows; ++i) slope.information(f, factors) += pz(i, j) * pz(i, j);
    }
    slope.information(factors, f) = slope.information(f, factors);
  }
  const auto [trace, squared] = traces(point, effects);
  slope.gradient[factors] = trace - std::inner_product(point.py.begin(), point.py.end(), point.py.begin(), 0.0);
  slope.information(factors, factors) = squared;
  return slope;
}

}  // namespace retrial::variance::inline components::reml_parts
