#pragma once

#include "variance/components/reml_likelihood.hpp"

/// The least deviance of a model over variances that are 0 or more. For .cpp files of `reml`.
namespace retrial::variance::inline components::reml_parts {

struct Optimum {
  Point point;
  int steps = 0;
};
/// Each step solves a quadratic model of the deviance under the condition that no variance is below 0, so that a
/// component leaves the model, or comes back to it, exactly at 0: scoring on logarithms cannot reach 0 and crawls
/// there. The model has the expected second derivatives (Fisher scoring: far from the optimum, where the deviance is
/// not convex, it still points down), near the optimum the observed ones (Newton). Halving a step always finds a lower
/// point. Stops when a step promises less than 1e-20, or when rounding hides any gain. NumericalFailure if neither
/// happens in 200 steps.
[[nodiscard]] Optimum minimize(const Model& model);

}  // namespace retrial::variance::inline components::reml_parts
