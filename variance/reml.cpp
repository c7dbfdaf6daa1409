#include "variance/reml.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "variance/check.hpp"
#include "variance/component_parts.hpp"
#include "variance/dense.hpp"
#include "variance/rng.hpp"
#include "variance/summary.hpp"

namespace retrial::variance {
namespace {

constexpr int most_iterations = 200;
constexpr double negligible = 1e-10, converged = 1e-12;

/// Levels numbered from 0 by first appearance; noise has one level a run.
struct Effect {
  std::vector<std::size_t> level;
  std::size_t levels = 0;
};

Effect effect_of(const std::vector<std::uint32_t>& names) {
  std::map<std::uint32_t, std::size_t> seen;
  Effect effect;
  for (const auto name : names) effect.level.push_back(seen.emplace(name, seen.size()).first->second);
  effect.levels = seen.size();
  return effect;
}

Effect noise_of(std::size_t runs) {
  Effect effect{.level = std::vector<std::size_t>(runs), .levels = runs};
  std::iota(effect.level.begin(), effect.level.end(), std::size_t{0});
  return effect;
}

/// Everything that one point of the likelihood takes.
struct Point {
  double deviance = 0.0, mean = 0.0, precision = 0.0;  ///< precision: 1'V^-1 1
  Matrix p{0, 0};                                      ///< V^-1 - V^-1 1 1'V^-1 / precision
  std::vector<double> py;
};

std::optional<Point> point_at(std::span<const double> y, const std::vector<Effect>& effects,
                              const std::vector<double>& variances) {
  const std::size_t n = y.size();
  Matrix v(n, n);
  for (std::size_t s = 0; s < effects.size(); ++s)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (effects[s].level[i] == effects[s].level[j]) v(i, j) += variances[s];
  const auto l = cholesky(std::move(v));
  if (!l) return std::nullopt;
  Point point{.p = inverse(*l)};
  const auto w1 = solve(*l, std::vector<double>(n, 1.0));
  point.precision = std::accumulate(w1.begin(), w1.end(), 0.0);
  point.mean = std::inner_product(w1.begin(), w1.end(), y.begin(), 0.0) / point.precision;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) point.p(i, j) -= w1[i] * w1[j] / point.precision;
  std::vector<double> centred(y.begin(), y.end());
  for (double& x : centred) x -= point.mean;
  point.py = solve(*l, centred);
  point.deviance = log_determinant(*l) + std::log(point.precision) +
                   std::inner_product(centred.begin(), centred.end(), point.py.begin(), 0.0);
  return point;
}

/// Z_s' P Z_t.
Matrix collapsed(const Matrix& p, const Effect& s, const Effect& t) {
  Matrix result(s.levels, t.levels);
  for (std::size_t i = 0; i < p.rows; ++i)
    for (std::size_t j = 0; j < p.rows; ++j) result(s.level[i], t.level[j]) += p(i, j);
  return result;
}

/// Derivatives of the deviance by the variances, and their expected second derivatives.
struct Slope {
  std::vector<double> gradient;
  Matrix information;
};

Slope slope_of(const Point& point, const std::vector<Effect>& effects) {
  const std::size_t count = effects.size();
  Slope slope{.gradient = std::vector<double>(count, 0.0), .information = Matrix(count, count)};
  for (std::size_t s = 0; s < count; ++s) {
    std::vector<double> sums(effects[s].levels, 0.0);
    for (std::size_t i = 0; i < point.py.size(); ++i) sums[effects[s].level[i]] += point.py[i];
    for (const double sum : sums) slope.gradient[s] -= sum * sum;
    for (std::size_t t = 0; t <= s; ++t) {
      const Matrix m = collapsed(point.p, effects[s], effects[t]);
      if (s == t)
        for (std::size_t i = 0; i < m.rows; ++i) slope.gradient[s] += m(i, i);
      for (const double x : m.values) slope.information(s, t) += x * x;
      slope.information(t, s) = slope.information(s, t);
    }
  }
  return slope;
}

/// Fisher scoring on log variances; components only grow or shrink by e^5 a step. Nothing when singular.
std::optional<std::vector<double>> scoring_step(const Slope& slope, const std::vector<double>& variances) {
  const std::size_t count = variances.size();
  Matrix information(count, count);
  std::vector<double> descent(count);
  for (std::size_t s = 0; s < count; ++s) {
    descent[s] = -slope.gradient[s] * variances[s];
    for (std::size_t t = 0; t < count; ++t) information(s, t) = slope.information(s, t) * variances[s] * variances[t];
  }
  const auto l = cholesky(information);
  if (!l) return std::nullopt;
  auto step = solve(*l, descent);
  for (double& d : step) d = std::clamp(d, -5.0, 5.0);
  return step;
}

std::vector<double> em_step(const Slope& slope, const std::vector<Effect>& effects, std::vector<double> variances) {
  for (std::size_t s = 0; s < variances.size(); ++s)
    variances[s] -= variances[s] * variances[s] * slope.gradient[s] / static_cast<double>(effects[s].levels);
  return variances;
}

struct Fit {
  std::vector<double> variances;
  Point point;
  int iterations = 0;
};

/// The better of a halved scoring step and, when none is better, an EM step; `fit` moves. False: neither is better.
bool improve(Fit& fit, std::span<const double> y, const std::vector<Effect>& effects) {
  const Slope slope = slope_of(fit.point, effects);
  const auto accept = [&](const std::vector<double>& variances) {
    auto point = point_at(y, effects, variances);
    if (!point || !(point->deviance < fit.point.deviance)) return false;
    fit.variances = variances;
    fit.point = *std::move(point);
    return true;
  };
  if (const auto step = scoring_step(slope, fit.variances))
    for (double scale = 1.0; scale > 1e-3; scale /= 2.0) {
      auto moved = fit.variances;
      for (std::size_t s = 0; s < moved.size(); ++s) moved[s] *= std::exp(scale * (*step)[s]);
      if (accept(moved)) return true;
    }
  return accept(em_step(slope, effects, fit.variances));
}

Fit minimise(std::span<const double> y, const std::vector<Effect>& effects, std::vector<double> start) {
  auto point = point_at(y, effects, start);
  if (!point) throw NumericalFailure("reml", 0);
  Fit fit{.variances = std::move(start), .point = *std::move(point)};
  for (; fit.iterations < most_iterations; ++fit.iterations) {
    const double before = fit.point.deviance;
    if (!improve(fit, y, effects)) return fit;
    const double total = std::accumulate(fit.variances.begin(), fit.variances.end(), 0.0);
    const bool vanishing = std::ranges::any_of(fit.variances, [&](double v) { return v < negligible * total; });
    if (vanishing || before - fit.point.deviance < converged * std::max(1.0, std::fabs(before))) return fit;
  }
  throw NumericalFailure("reml", most_iterations);
}

/// Effects in the model; the last one, noise, always is.
using Active = std::vector<bool>;

std::vector<Effect> chosen(const std::vector<Effect>& effects, const Active& active) {
  std::vector<Effect> result;
  for (std::size_t s = 0; s < effects.size(); ++s)
    if (active[s]) result.push_back(effects[s]);
  return result;
}

/// Variances of all effects, 0 of those that are not in the model.
std::vector<double> spread_out(const std::vector<double>& variances, const Active& active) {
  std::vector<double> all(active.size(), 0.0);
  for (std::size_t s = 0, next = 0; s < active.size(); ++s)
    if (active[s]) all[s] = variances[next++];
  return all;
}

Fit fit_active(std::span<const double> y, const std::vector<Effect>& effects, Active& active) {
  for (;;) {
    const auto count = static_cast<std::size_t>(std::ranges::count(active, true));
    const double part = *sample_variance(y) / static_cast<double>(count);
    Fit fit = minimise(y, chosen(effects, active), std::vector<double>(count, part));
    const auto all = spread_out(fit.variances, active);
    const double total = std::accumulate(all.begin(), all.end(), 0.0);
    bool dropped = false;
    for (std::size_t s = 0; s + 1 < all.size(); ++s)
      if (active[s] && all[s] < 1e-6 * total) {
        Active without = active;
        without[s] = false;
        auto rest = all;
        rest[s] = 0.0;
        const auto point = point_at(y, effects, rest);
        if (all[s] >= negligible * total && !(point && point->deviance <= fit.point.deviance + 1e-9)) continue;
        active = without;
        dropped = true;
        break;
      }
    if (!dropped) return fit;
  }
}

/// A component that was dropped on the way comes back when the deviance would fall with it.
Fit fit_all(std::span<const double> y, const std::vector<Effect>& effects, Active& active) {
  Fit fit = fit_active(y, effects, active);
  const Slope slope = slope_of(fit.point, effects);
  Active again = active;
  bool readd = false;
  for (std::size_t s = 0; s < effects.size(); ++s)
    if (!active[s] && slope.gradient[s] < -1e-6) again[s] = readd = true;
  if (!readd) return fit;
  Fit second = fit_active(y, effects, again);
  if (!(second.point.deviance < fit.point.deviance)) return fit;
  active = again;
  return second;
}

void require_model(std::span<const double> scores, const std::vector<Factor>& factors) {
  require_within("runs", static_cast<std::int64_t>(scores.size()), 3, 4000);
  require_finite("scores", scores);
  for (std::size_t s = 0; s < factors.size(); ++s) {
    const std::string field = "factors[" + std::to_string(s) + "]";
    if (factors[s].level.size() != scores.size())
      throw InvalidInput(field, std::to_string(factors[s].level.size()) + " runs", "as many as scores");
    const auto levels = effect_of(factors[s].level).levels;
    if (levels < 2 || levels == scores.size())
      throw InvalidInput(field, std::to_string(levels) + " levels", "two and more, fewer than runs");
  }
}

std::vector<Effect> effects_of(const std::vector<Factor>& factors, std::size_t runs) {
  std::vector<Effect> effects;
  for (const Factor& factor : factors) effects.push_back(effect_of(factor.level));
  effects.push_back(noise_of(runs));
  return effects;
}

/// Var(estimate) = 2 / information of the components in the model.
void set_intervals(Reml& result, const Fit& fit, const std::vector<Effect>& effects, const Active& active, double scale,
                   double alpha) {
  const auto l = cholesky(slope_of(fit.point, chosen(effects, active)).information);
  const auto covariance = l ? std::optional(inverse(*l)) : std::nullopt;
  const auto all = spread_out(fit.variances, active);
  for (std::size_t s = 0, next = 0; s < all.size(); ++s) {
    result.components[s].raw = all[s] * scale * scale;
    const double spread = active[s] && covariance ? 2.0 * (*covariance)(next, next) * std::pow(scale, 4) : 0.0;
    component_parts::set_interval(result.components[s], spread, alpha);
    next += active[s] ? 1 : 0;
  }
}

}  // namespace

Reml reml(std::span<const double> scores, const std::vector<Factor>& factors, double alpha) {
  require_model(scores, factors);
  require_between("alpha", alpha, 0.0, 1.0);
  Reml result{.mean = *mean(scores)};
  for (const Factor& factor : factors) result.components.push_back({.source = factor.source});
  result.components.push_back({.source = "noise"});
  const double scale = *sd(scores);
  if (scale == 0.0) return result;
  std::vector<double> y(scores.begin(), scores.end());
  for (double& x : y) x = (x - result.mean) / scale;
  const auto effects = effects_of(factors, y.size());
  Active active(effects.size(), true);
  const Fit fit = fit_all(y, effects, active);
  set_intervals(result, fit, effects, active, scale, alpha);
  std::vector<Component*> all;
  for (Component& component : result.components) all.push_back(&component);
  component_parts::set_shares(all);
  result.mean += scale * fit.point.mean;
  result.se = scale / std::sqrt(fit.point.precision);
  const double runs = static_cast<double>(y.size());
  result.deviance = fit.point.deviance + 2.0 * (runs - 1.0) * std::log(scale);
  result.iterations = fit.iterations;
  return result;
}

std::vector<Estimate> reml_bootstrap(const Reml& fit, const std::vector<Factor>& factors, std::uint64_t key,
                                     std::int64_t replicates, double alpha) {
  require_within("replicates", replicates, 100, 1'000'000);
  require_between("alpha", alpha, 0.0, 1.0);
  if (factors.empty() || fit.components.size() != factors.size() + 1)
    throw InvalidInput("factors", std::to_string(factors.size()), "those of the fit");
  const std::size_t runs = factors.front().level.size();
  const auto effects = effects_of(factors, runs);
  std::vector<std::vector<double>> drawn(effects.size());
  for (std::int64_t r = 0; r < replicates; ++r) {
    Stream draws(derive(key, "reml-boot"), static_cast<std::uint64_t>(r));
    std::vector<double> y(runs, fit.mean);
    for (std::size_t s = 0; s < effects.size(); ++s) {
      std::vector<double> effect(effects[s].levels);
      for (double& e : effect) e = std::sqrt(fit.components[s].variance.point) * normal(draws.next());
      for (std::size_t i = 0; i < runs; ++i) y[i] += effect[effects[s].level[i]];
    }
    const Reml again = reml(y, factors, alpha);
    for (std::size_t s = 0; s < effects.size(); ++s) drawn[s].push_back(again.components[s].variance.point);
  }
  std::vector<Estimate> result;
  for (std::size_t s = 0; s < effects.size(); ++s)
    result.push_back({.point = fit.components[s].variance.point,
                      .low = sample_quantile(drawn[s], alpha / 2.0),
                      .high = sample_quantile(drawn[s], 1.0 - alpha / 2.0),
                      .level = 1.0 - alpha,
                      .method = "parametric bootstrap"});
  return result;
}

}  // namespace retrial::variance
