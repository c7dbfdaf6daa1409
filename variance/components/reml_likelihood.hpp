#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "variance/components/reml_contrasts.hpp"
#include "variance/numbers/dense.hpp"

/// The restricted likelihood of contrasts at given variances, and its derivatives. For .cpp files of `reml`.
namespace retrial::variance::inline components::reml_parts {

/// Input of the likelihood. Without noise, the scores follow from the effects exactly: then only the
/// contrasts in the basis have a density.
struct Model {
  const Contrasts& contrasts;
  Contrasted scores;
  bool noise = true;
  /// Factors in order, then the noise if there is any.
  [[nodiscard]] std::size_t components() const { return contrasts.factors.size() + (noise ? 1 : 0); }
  /// Number of contrasts that hold noise alone.
  [[nodiscard]] double rest() const { return noise ? static_cast<double>(contrasts.rest()) : 0.0; }
};

/// All values at one point; V is the covariance of the contrasts in the basis.
struct Point {
  std::vector<double> variances;
  double deviance = 0.0;         ///< log|V| + log|X'V^-1 X| + y'Py of all runs; without noise, of the basis alone
  Matrix root{0, 0};             ///< Cholesky factor of V
  std::vector<double> weighted;  ///< V^-1 values
};
/// Absent where there is no density: V is singular, or the noise 0 although some contrasts hold noise alone.
[[nodiscard]] std::optional<Point> point_at(const Model& model, std::vector<double> variances);

/// First and second derivatives of the deviance with respect to all variances, including those that are 0; the second
/// ones as observed and as expected. The expected ones are positive definite if the components can be told apart.
struct Slope {
  std::vector<double> gradient;
  Matrix expected, observed;
};
[[nodiscard]] Slope slope_of(const Model& model, const Point& point);

/// Generalized least squares at a point: the mean of the scores and its variance.
struct FittedMean {
  double value = 0.0, variance = 0.0;
};
[[nodiscard]] FittedMean fitted_mean(const Model& model, const Point& point);

/// Inner products tr(K_s K_t) of the components' covariances over all contrasts: singular if a component's covariance
/// is a combination of the others', so that no scores tell them apart.
[[nodiscard]] Matrix overlaps(const Contrasts& contrasts, bool noise);

}  // namespace retrial::variance::inline components::reml_parts
