#include "variance/components/reml.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "variance/components/component_parts.hpp"
#include "variance/components/reml_likelihood.hpp"
#include "variance/components/reml_optimum.hpp"
#include "variance/components/reml_selection.hpp"
#include "variance/numbers/check.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline components {
namespace {

using reml_parts::Contrasts, reml_parts::Model, reml_parts::Selection;

void require_components(std::size_t runs, const std::vector<Factor>& factors) {
  require_within("runs", static_cast<std::int64_t>(runs), 3, 4000);
  for (std::size_t s = 0; s < factors.size(); ++s) {
    const std::string field = "factors[" + std::to_string(s) + "]";
    if (factors[s].level.size() != runs)
      throw InvalidInput(field, std::to_string(factors[s].level.size()) + " runs", "as many as scores");
    const auto levels = reml_parts::effect_of(factors[s].level).levels;
    if (levels < 2 || levels == runs)
      throw InvalidInput(field, std::to_string(levels) + " levels", "at least two, fewer than runs");
  }
}

/// The first component whose covariance is a combination of those before it.
std::optional<std::size_t> first_repeated(const Matrix& overlaps) {
  constexpr double independent = 1e-10;  // squared sine of the angle to those before; rounding leaves 1e-15
  for (std::size_t s = 0; s < overlaps.rows; ++s) {
    Matrix angles(s + 1, s + 1);
    for (std::size_t i = 0; i <= s; ++i)
      for (std::size_t j = 0; j <= s; ++j) angles(i, j) = overlaps(i, j) / std::sqrt(overlaps(i, i) * overlaps(j, j));
    const auto root = cholesky(std::move(angles));
    if (!root || (*root)(s, s) * (*root)(s, s) < independent) return s;
  }
  return std::nullopt;
}

/// `used`: places of the factors of `contrasts`, at least one where there is no noise.
void require_told_apart(const Contrasts& contrasts, bool noise, const std::vector<Factor>& factors,
                        const std::vector<std::size_t>& used) {
  const auto repeated = first_repeated(overlaps(contrasts, noise));
  if (!repeated) return;
  const bool of_noise = *repeated == used.size();  // then the last factor is named
  const std::size_t place = of_noise ? used.back() : used[*repeated];
  std::string others;
  for (const auto other : used)
    if (other != place) others += (others.empty() ? "" : " and ") + factors[other].source;
  if (of_noise) others += others.empty() ? "the noise" : " and the noise";
  throw InvalidInput("factors[" + std::to_string(place) + "]", factors[place].source,
                     "a source whose effect the runs tell apart from that of " + others);
}

Contrasts checked_contrasts(const std::vector<Factor>& factors, std::size_t runs) {
  require_components(runs, factors);
  std::vector<reml_parts::Effect> effects;
  std::vector<std::size_t> all;
  for (const Factor& factor : factors) {
    all.push_back(effects.size());
    effects.push_back(reml_parts::effect_of(factor.level));
  }
  auto contrasts = contrasts_of(std::move(effects), runs);
  require_told_apart(contrasts, true, factors, all);
  return contrasts;
}

/// In the unit of the scores.
struct Fit {
  std::vector<double> variances;  ///< factors in order, then noise
  std::vector<double> spread;     ///< variance of each estimate, 2 / information; 0 for an estimate of 0
  double mean = 0.0, se = 0.0;
  std::optional<double> deviance;
  int iterations = 0;
};

std::vector<double> spread_of(const Model& model, const reml_parts::Point& point) {
  std::vector<std::size_t> places;
  for (std::size_t s = 0; s < point.variances.size(); ++s)
    if (point.variances[s] > 0.0) places.push_back(s);
  const Matrix expected = slope_of(model, point).expected;
  Matrix information(places.size(), places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < places.size(); ++j) information(i, j) = expected(places[i], places[j]);
  std::vector<double> out(point.variances.size(), 0.0);
  const auto root = cholesky(std::move(information));
  if (!root) return out;
  const Matrix covariance = inverse(*root);
  for (std::size_t i = 0; i < places.size(); ++i) out[places[i]] = 2.0 * covariance(i, i);
  return out;
}

/// Moves an optimum of scores in units of `scale` to the places of all components.
Fit fit_of(const Selection& selection, std::size_t components, double center, double scale) {
  const Model model{.contrasts = selection.contrasts, .scores = selection.scores, .noise = !selection.exact};
  const auto optimum = minimize(model);
  const auto spread = spread_of(model, optimum.point);
  const auto mean = fitted_mean(model, optimum.point);
  Fit fit{.variances = std::vector<double>(components, 0.0),
          .spread = std::vector<double>(components, 0.0),
          .mean = center + scale * mean.value,
          .se = scale * std::sqrt(mean.variance),
          .iterations = optimum.steps};
  for (std::size_t i = 0; i < spread.size(); ++i) {
    const std::size_t place = i < selection.factors.size() ? selection.factors[i] : components - 1;
    fit.variances[place] = optimum.point.variances[i] * scale * scale;
    fit.spread[place] = spread[i] * std::pow(scale, 4);
  }
  const double contrasts = static_cast<double>(selection.contrasts.runs) - 1.0;
  if (!selection.exact) fit.deviance = optimum.point.deviance + 2.0 * contrasts * std::log(scale);
  return fit;
}

/// The same bound as for tables without holes.
double rounding_of(std::span<const double> scores) {
  double largest = 0.0;
  for (const double score : scores) largest = std::max(largest, std::fabs(score));
  return 16.0 * std::numeric_limits<double>::epsilon() * largest;
}

/// `contrasts`: those of all factors.
Fit fit_scores(std::span<const double> scores, const std::vector<Factor>& factors, const Contrasts& contrasts) {
  const double center = *mean(scores), scale = *sd(scores);
  const std::size_t components = factors.size() + 1;
  const std::vector<double> none(components, 0.0);
  const Fit constant{.variances = none, .spread = none, .mean = center};
  if (scale == 0.0) return constant;
  std::vector<double> y(scores.begin(), scores.end());
  for (double& x : y) x = (x - center) / scale;
  const Selection selection = selection_for(y, contrasts, rounding_of(scores) / scale);
  if (selection.exact && selection.factors.empty()) return constant;
  if (selection.exact) require_told_apart(selection.contrasts, false, factors, selection.factors);
  return fit_of(selection, components, center, scale);
}

/// One table simulated from the components of `fit`.
std::vector<double> drawn_scores(const Reml& fit, const Contrasts& contrasts, Stream draws) {
  std::vector<double> y(contrasts.runs, fit.mean);
  for (std::size_t s = 0; s < contrasts.factors.size(); ++s) {
    std::vector<double> effect(contrasts.factors[s].levels);
    for (double& e : effect) e = std::sqrt(fit.components[s].variance.point) * normal(draws.next());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += effect[contrasts.factors[s].level[i]];
  }
  for (double& value : y) value += std::sqrt(fit.components.back().variance.point) * normal(draws.next());
  return y;
}

}  // namespace

Reml reml(std::span<const double> scores, const std::vector<Factor>& factors, double alpha) {
  require_finite("scores", scores);
  require_between("alpha", alpha, 0.0, 1.0);
  const Fit fit = fit_scores(scores, factors, checked_contrasts(factors, scores.size()));
  Reml result{.mean = fit.mean, .se = fit.se, .deviance = fit.deviance, .iterations = fit.iterations};
  for (const Factor& factor : factors) result.components.push_back({.source = factor.source});
  result.components.push_back({.source = "noise"});
  std::vector<Component*> all;
  for (std::size_t s = 0; s < result.components.size(); ++s) {
    result.components[s].raw = fit.variances[s];
    component_parts::set_interval(result.components[s], fit.spread[s], alpha);
    all.push_back(&result.components[s]);
  }
  component_parts::set_shares(all);
  return result;
}

std::vector<std::vector<double>> reml_replicates(const Reml& fit, const std::vector<Factor>& factors, std::uint64_t key,
                                                 std::int64_t replicates) {
  require_within("replicates", replicates, 0, 1'000'000);
  if (factors.empty() || fit.components.size() != factors.size() + 1)
    throw InvalidInput("factors", std::to_string(factors.size()), "those of the fit");
  const auto contrasts = checked_contrasts(factors, factors.front().level.size());
  std::vector<std::vector<double>> drawn(fit.components.size());
  for (std::int64_t r = 0; r < replicates; ++r) {
    const Stream draws(derive(key, "reml-boot"), static_cast<std::uint64_t>(r));
    const Fit again = fit_scores(drawn_scores(fit, contrasts, draws), factors, contrasts);
    for (std::size_t s = 0; s < drawn.size(); ++s) drawn[s].push_back(again.variances[s]);
  }
  return drawn;
}

}  // namespace retrial::variance::inline components
