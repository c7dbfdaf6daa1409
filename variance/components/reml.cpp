#include "variance/components/reml.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "variance/components/component_parts.hpp"
#include "variance/components/reml_likelihood.hpp"
#include "variance/numbers/check.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline components {
namespace {

constexpr int max_iterations = 200;
constexpr double negligible = 1e-10, converged = 1e-12;

using reml_parts::Effects, reml_parts::Point, reml_parts::Slope, reml_parts::effect_of, reml_parts::point_at,
    reml_parts::slope_of;

/// Marks the components in the model; the last one, noise, always is. All others have variance 0.
using Active = std::vector<bool>;

std::vector<std::size_t> component_places(const Active& active) {
  std::vector<std::size_t> places;
  for (std::size_t s = 0; s < active.size(); ++s)
    if (active[s]) places.push_back(s);
  return places;
}

/// The information about the components in the model, each multiplied by its own scale.
Matrix information_of(const Slope& slope, const Active& active, const std::vector<double>& scale) {
  const auto places = component_places(active);
  Matrix out(places.size(), places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < places.size(); ++j)
      out(i, j) = slope.information(places[i], places[j]) * scale[places[i]] * scale[places[j]];
  return out;
}

/// Fisher scoring on log variances; components grow or shrink at most by e^5 per step. Absent if singular.
std::optional<std::vector<double>> scoring_step(const Slope& slope, const std::vector<double>& variances,
                                                const Active& active) {
  const auto l = cholesky(information_of(slope, active, variances));
  if (!l) return std::nullopt;
  const auto places = component_places(active);
  std::vector<double> descent;
  for (const auto s : places) descent.push_back(-slope.gradient[s] * variances[s]);
  const auto solved = solve(*l, descent);
  std::vector<double> step(variances.size(), 0.0);
  for (std::size_t i = 0; i < places.size(); ++i) step[places[i]] = std::clamp(solved[i], -5.0, 5.0);
  return step;
}

std::vector<double> em_step(const Slope& slope, const Effects& effects, std::vector<double> variances) {
  for (std::size_t s = 0; s < variances.size(); ++s) {
    const std::size_t levels = s < effects.factors.size() ? effects.factors[s].levels : effects.runs;
    variances[s] -= variances[s] * variances[s] * slope.gradient[s] / static_cast<double>(levels);
  }
  return variances;
}

struct Fit {
  Point point;
  int iterations = 0;
};

/// Moves `fit` by a (halved) scoring step or, if none improves, by an EM step. False: neither improves.
bool improve(Fit& fit, std::span<const double> y, const Effects& effects, const Active& active) {
  const Slope slope = slope_of(fit.point, effects);
  const auto accept = [&](const std::vector<double>& variances) {
    auto point = point_at(y, effects, variances);
    if (!point || !(point->deviance < fit.point.deviance)) return false;
    fit.point = *std::move(point);
    return true;
  };
  const auto variances = fit.point.variances;
  if (const auto step = scoring_step(slope, variances, active))
    for (double scale = 1.0; scale > 1e-3; scale /= 2.0) {
      auto moved = variances;
      for (std::size_t s = 0; s < moved.size(); ++s) moved[s] *= std::exp(scale * (*step)[s]);
      if (accept(moved)) return true;
    }
  return accept(em_step(slope, effects, variances));
}

double total_variance(const std::vector<double>& variances) {
  return std::accumulate(variances.begin(), variances.end(), 0.0);
}

Fit minimise(std::span<const double> y, const Effects& effects, const Active& active) {
  const auto places = component_places(active);
  std::vector<double> start(active.size(), 0.0);
  for (const auto s : places) start[s] = *sample_variance(y) / static_cast<double>(places.size());
  auto point = point_at(y, effects, std::move(start));
  if (!point) throw NumericalFailure("reml", 0);
  Fit fit{.point = *std::move(point)};
  for (; fit.iterations < max_iterations; ++fit.iterations) {
    const double before = fit.point.deviance;
    if (!improve(fit, y, effects, active)) return fit;
    const double total = total_variance(fit.point.variances);
    const bool vanishing =
        std::ranges::any_of(places, [&](std::size_t s) { return fit.point.variances[s] < negligible * total; });
    if (vanishing || before - fit.point.deviance < converged * std::max(1.0, std::fabs(before))) return fit;
  }
  throw NumericalFailure("reml", max_iterations);
}

/// The first factor whose variance is 0, or so small that dropping it does not change the deviance.
std::optional<std::size_t> to_drop(const Fit& fit, std::span<const double> y, const Effects& effects,
                                   const Active& active) {
  const auto& variances = fit.point.variances;
  const double total = total_variance(variances);
  for (std::size_t s = 0; s < effects.factors.size(); ++s) {
    if (!active[s] || variances[s] >= 1e-6 * total) continue;
    auto rest = variances;
    rest[s] = 0.0;
    const auto point = point_at(y, effects, rest);
    if (variances[s] < negligible * total || (point && point->deviance <= fit.point.deviance + 1e-9)) return s;
  }
  return std::nullopt;
}

Fit fit_active(std::span<const double> y, const Effects& effects, Active& active) {
  for (;;) {
    Fit fit = minimise(y, effects, active);
    const auto dropped = to_drop(fit, y, effects, active);
    if (!dropped) return fit;
    active[*dropped] = false;
  }
}

/// A dropped component comes back if the deviance would fall with it.
Fit fit_all(std::span<const double> y, const Effects& effects, Active& active) {
  Fit fit = fit_active(y, effects, active);
  const Slope slope = slope_of(fit.point, effects);
  Active again = active;
  bool readd = false;
  for (std::size_t s = 0; s < active.size(); ++s)
    if (!active[s] && slope.gradient[s] < -1e-6) again[s] = readd = true;
  if (!readd) return fit;
  Fit second = fit_active(y, effects, again);
  if (!(second.point.deviance < fit.point.deviance)) return fit;
  active = again;
  return second;
}

void require_components(std::span<const double> scores, const std::vector<Factor>& factors) {
  require_within("runs", static_cast<std::int64_t>(scores.size()), 3, 4000);
  require_finite("scores", scores);
  for (std::size_t s = 0; s < factors.size(); ++s) {
    const std::string field = "factors[" + std::to_string(s) + "]";
    if (factors[s].level.size() != scores.size())
      throw InvalidInput(field, std::to_string(factors[s].level.size()) + " runs", "as many as scores");
    const auto levels = effect_of(factors[s].level).levels;
    if (levels < 2 || levels == scores.size())
      throw InvalidInput(field, std::to_string(levels) + " levels", "at least two, fewer than runs");
  }
}

Effects factor_effects(const std::vector<Factor>& factors, std::size_t runs) {
  std::vector<reml_parts::Effect> effects;
  for (const Factor& factor : factors) effects.push_back(effect_of(factor.level));
  return reml_parts::effects_of(std::move(effects), runs);
}

/// Var(estimate) = 2 / information of the components in the model.
void set_intervals(Reml& result, const Fit& fit, const Effects& effects, const Active& active, double scale,
                   double alpha) {
  const std::vector<double> unscaled(active.size(), 1.0);
  const auto l = cholesky(information_of(slope_of(fit.point, effects), active, unscaled));
  const auto covariance = l ? std::optional(inverse(*l)) : std::nullopt;
  for (std::size_t s = 0, next = 0; s < active.size(); ++s) {
    result.components[s].raw = fit.point.variances[s] * scale * scale;
    const double spread = active[s] && covariance ? 2.0 * (*covariance)(next, next) * std::pow(scale, 4) : 0.0;
    component_parts::set_interval(result.components[s], spread, alpha);
    next += active[s] ? 1 : 0;
  }
}

}  // namespace

Reml reml(std::span<const double> scores, const std::vector<Factor>& factors, double alpha) {
  require_components(scores, factors);
  require_between("alpha", alpha, 0.0, 1.0);
  Reml result{.mean = *mean(scores)};
  for (const Factor& factor : factors) result.components.push_back({.source = factor.source});
  result.components.push_back({.source = "noise"});
  const double scale = *sd(scores);
  if (scale == 0.0) return result;
  std::vector<double> y(scores.begin(), scores.end());
  for (double& x : y) x = (x - result.mean) / scale;
  const auto effects = factor_effects(factors, y.size());
  Active active(factors.size() + 1, true);
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

std::vector<std::vector<double>> reml_replicates(const Reml& fit, const std::vector<Factor>& factors, std::uint64_t key,
                                                 std::int64_t replicates) {
  require_within("replicates", replicates, 0, 1'000'000);
  if (factors.empty() || fit.components.size() != factors.size() + 1)
    throw InvalidInput("factors", std::to_string(factors.size()), "those of the fit");
  const std::size_t runs = factors.front().level.size();
  const auto effects = factor_effects(factors, runs);
  std::vector<std::vector<double>> drawn(fit.components.size());
  for (std::int64_t r = 0; r < replicates; ++r) {
    Stream draws(derive(key, "reml-boot"), static_cast<std::uint64_t>(r));
    std::vector<double> y(runs, fit.mean);
    for (std::size_t s = 0; s < factors.size(); ++s) {
      std::vector<double> effect(effects.factors[s].levels);
      for (double& e : effect) e = std::sqrt(fit.components[s].variance.point) * normal(draws.next());
      for (std::size_t i = 0; i < runs; ++i) y[i] += effect[effects.factors[s].level[i]];
    }
    for (double& value : y) value += std::sqrt(fit.components.back().variance.point) * normal(draws.next());
    const Reml again = reml(y, factors);
    for (std::size_t s = 0; s < drawn.size(); ++s) drawn[s].push_back(again.components[s].variance.point);
  }
  return drawn;
}

}  // namespace retrial::variance::inline components
