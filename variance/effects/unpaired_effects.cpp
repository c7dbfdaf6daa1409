#include <cmath>

#include "variance/effects/effect_parts.hpp"
#include "variance/effects/effect_sizes.hpp"
#include "variance/numbers/check.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"
#include "variance/spreads/spread.hpp"
#include "variance/wins/effect.hpp"
#include "variance/wins/theta.hpp"

namespace retrial::variance::inline effects {
namespace {

bool spreads_differ(std::span<const double> candidate, std::span<const double> baseline, double alpha) {
  const auto ratio = sd_ratio(candidate, baseline, alpha);
  return ratio && ratio->low && (*ratio->low > 1.0 || *ratio->high < 1.0);
}

EffectSize by_cohen(std::string_view name, std::string_view measures, Estimate estimate, bool leads) {
  EffectSize out = standardized(name, measures, std::move(estimate));
  out.leads = leads;
  out.label = cohen_label(out.estimate.point);
  out.convention = "Cohen 1988";
  return out;
}

void add_standardized_of_runs(std::vector<EffectSize>& out, std::span<const double> candidate,
                              std::span<const double> baseline, double alpha, double noise) {
  if (candidate.size() < 2 || baseline.size() < 2) return;
  const double n = size_of(candidate), m = size_of(baseline);
  const bool glass_leads = spreads_differ(candidate, baseline, alpha);
  if (varies(candidate, noise) || varies(baseline, noise)) {
    const double scale = std::sqrt(1.0 / n + 1.0 / m), d = *cohen_d(candidate, baseline);
    out.push_back(by_cohen("hedges_g", "difference / pooled sd",
                           noncentral_interval(*hedges_g(candidate, baseline), d / scale, n + m - 2.0, scale, alpha,
                                               "noncentral t, equal spreads"),
                           !glass_leads));
  }
  if (varies(baseline, noise)) {
    const double ratio = *sample_variance(candidate) / *sample_variance(baseline);
    const double scale = std::sqrt(ratio / n + 1.0 / m), delta = *glass_delta(candidate, baseline);
    out.push_back(by_cohen(
        "glass_delta", "difference / sd of the baseline",
        noncentral_interval(delta, delta / scale, m - 1.0, scale, alpha, "noncentral t, approximate"), glass_leads));
  }
}

}  // namespace

std::vector<EffectSize> unpaired_effects(std::span<const double> candidate, std::span<const double> baseline,
                                         const EffectOptions& options) {
  require_between("alpha", options.alpha, 0.0, 0.5);
  const auto a = higher_is_better(candidate, options.direction), b = higher_is_better(baseline, options.direction);
  std::vector<EffectSize> out;
  if (a.empty() || b.empty()) return out;
  add_standardized_of_runs(out, candidate, baseline, options.alpha, tie_tolerance(std::nullopt, candidate, baseline));
  Estimate theta = unpaired_theta(a, b, options.alpha, options.resolution).interval;
  Estimate delta = theta;
  for (double* bound : {&delta.point, delta.low ? &*delta.low : nullptr, delta.high ? &*delta.high : nullptr})
    if (bound != nullptr) *bound = 2.0 * *bound - 1.0;
  out.push_back(ordinal("a12", "P(candidate beats baseline), any two runs", std::move(theta)));
  out.back().leads = true;
  out.back().label = a12_label(out.back().estimate.point);
  out.back().convention = "Vargha and Delaney 2000";
  out.push_back(ordinal("cliff_delta", "P(candidate better) - P(candidate worse)", std::move(delta)));
  return out;
}

}  // namespace retrial::variance::inline effects
