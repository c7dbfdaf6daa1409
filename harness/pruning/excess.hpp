#pragma once

#include <string>
#include <vector>

#include "harness/pruning/cascades.hpp"
#include "workloads/pruning/metrics.hpp"

namespace retrial::harness {

/// Names of the shifted distributions that a trial was tested on: noise of functional distance is none.
[[nodiscard]] std::vector<std::string> shifts_of(const Cascade& run);

/// Prune ratios (a share, as slopes are per unit) and excess errors in percentage points, from the first step on;
/// empty without a shifted distribution.
[[nodiscard]] metrics::Cascade excess_of(const Cascade& run);

/// The slope over all pairs with its bootstrap interval over whole cascades.
[[nodiscard]] std::optional<variance::Estimate> slope_of(const VariantCascades& variant, double alpha);

}  // namespace retrial::harness
