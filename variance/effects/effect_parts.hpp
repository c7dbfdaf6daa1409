#pragma once

#include <span>
#include <vector>

#include "variance/effects/effect_sizes.hpp"

/// Parts of the sizes of pairs and of groups.
namespace retrial::variance::inline effects {

/// Scores turned so that higher is better.
[[nodiscard]] std::vector<double> higher_is_better(std::span<const double> scores, Direction direction);
/// Spread beyond the rounding of decimal data.
[[nodiscard]] bool varies(std::span<const double> scores, double noise);
/// Bounds of the noncentrality of t, each times `scale`.
[[nodiscard]] Estimate noncentral_interval(double point, double t, double df, double scale, double alpha,
                                           const char* method);
[[nodiscard]] EffectSize standardized(std::string_view name, std::string_view measures, Estimate estimate);
[[nodiscard]] EffectSize ordinal(std::string_view name, std::string_view measures, Estimate estimate);

}  // namespace retrial::variance::inline effects
