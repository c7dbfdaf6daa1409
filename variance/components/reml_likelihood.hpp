#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "variance/numbers/dense.hpp"

/// The restricted likelihood of y = mean + sum_s Z_s effect_s + noise at given variances, and its derivatives.
/// For .cpp files of `reml`. All matrices have one row per level (Henderson's mixed-model equations), not per run: a
/// table of 16 x 16 cells has 32 levels, and a thousand fits of it take a second instead of minutes.
namespace retrial::variance::inline components::reml_parts {

/// Levels numbered from 0 by first appearance.
struct Effect {
  std::vector<std::size_t> level;  ///< level of each run
  std::size_t levels = 0;
};
[[nodiscard]] Effect effect_of(const std::vector<std::uint32_t>& names);

struct Effects {
  std::size_t runs = 0;
  std::vector<Effect> factors;
  std::vector<std::size_t> first;  ///< column of each factor's first level, then the number of columns
  Matrix counts{0, 0};             ///< Z'Z: number of runs that two levels share
  [[nodiscard]] std::size_t columns() const { return first.back(); }
  [[nodiscard]] std::size_t column(std::size_t factor, std::size_t run) const {
    return first[factor] + factors[factor].level[run];
  }
};
[[nodiscard]] Effects effects_of(std::vector<Effect> factors, std::size_t runs);

/// All values at one point of the likelihood; P = V^-1 - V^-1 1 1'V^-1 / precision.
struct Point {
  std::vector<double> variances;  ///< variances of the factors in order, then of the noise
  double deviance = 0.0, mean = 0.0;
  double precision = 0.0;          ///< 1'V^-1 1
  std::vector<double> weights;     ///< V^-1 1
  std::vector<double> reweighted;  ///< V^-1 V^-1 1
  std::vector<double> py;          ///< P y
  Matrix shrink{0, 0};             ///< G^1/2 (I + G^1/2 Z'Z G^1/2 / noise)^-1 G^1/2 Z'Z / noise
};
/// Factors may have variance 0, the noise may not. Absent if V is singular to working precision.
[[nodiscard]] std::optional<Point> point_at(std::span<const double> y, const Effects& effects,
                                            std::vector<double> variances);

/// Derivatives of the deviance with respect to all variances, including those that are 0, and the expected second
/// derivatives.
struct Slope {
  std::vector<double> gradient;
  Matrix information;
};
[[nodiscard]] Slope slope_of(const Point& point, const Effects& effects);

}  // namespace retrial::variance::inline components::reml_parts
