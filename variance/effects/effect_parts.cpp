#include "variance/effects/effect_parts.hpp"

#include <algorithm>
#include <cmath>

#include "variance/effects/effect_sizes.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/noncentrality.hpp"
#include "variance/spreads/spread.hpp"

namespace retrial::variance::inline effects {

std::vector<double> higher_is_better(std::span<const double> scores, Direction direction) {
  if (direction == Direction::none)
    throw InvalidInput("direction", "none", "higher, lower: state which scores are better");
  std::vector<double> out(scores.begin(), scores.end());
  if (direction == Direction::lower)
    for (double& score : out) score = 0.0 - score;
  return out;
}

bool varies(std::span<const double> scores, double noise) {
  if (scores.size() < 2) return false;
  const auto [low, high] = std::ranges::minmax(scores);
  return high - low > noise;
}

Estimate noncentral_interval(double point, double t, double df, double scale, double alpha, const char* method) {
  return {.point = point,
          .low = noncentrality_quantile(alpha / 2.0, t, df) * scale,
          .high = noncentrality_quantile(1.0 - alpha / 2.0, t, df) * scale,
          .level = 1.0 - alpha,
          .method = method};
}

EffectSize standardized(std::string_view name, std::string_view measures, Estimate estimate) {
  return {.name = name,
          .kind = EffectKind::standardized,
          .measures = measures,
          .estimate = std::move(estimate),
          .label = {},
          .convention = {}};
}

EffectSize ordinal(std::string_view name, std::string_view measures, Estimate estimate) {
  EffectSize out = standardized(name, measures, std::move(estimate));
  out.kind = EffectKind::ordinal;
  return out;
}

std::string_view cohen_label(double d) {
  const double size = std::fabs(d);
  if (size >= 0.8) return "large";
  if (size >= 0.5) return "medium";
  return size >= 0.2 ? "small" : "negligible";
}

Effects effects_of(std::span<const double> candidate, std::span<const double> baseline, Pairing pairing,
                   const EffectOptions& options) {
  if (pairing == Pairing::paired)
    return {paired_effects(candidate, baseline, options), paired_sd_ratio(candidate, baseline, options.alpha)};
  return {unpaired_effects(candidate, baseline, options), sd_ratio(candidate, baseline, options.alpha)};
}

}  // namespace retrial::variance::inline effects
