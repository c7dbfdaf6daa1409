#pragma once

#include <string>
#include <vector>

#include "workloads/pruning/measures/metrics.hpp"
#include "workloads/pruning/report/cascades.hpp"

namespace retrial::pruning {

/// Names of the shifted distributions that a trial was tested on, without the noise of functional distance.
[[nodiscard]] std::vector<std::string> shifts_of(const CascadeRun& run);

/// Prune ratios (a share, as slopes are per unit) and excess errors in percentage points, from the first step on;
/// empty without a shifted distribution.
[[nodiscard]] pruning::Cascade excess_of(const CascadeRun& run);

/// The slope over all pairs with its bootstrap interval over whole cascades.
[[nodiscard]] std::optional<variance::Estimate> slope_of(const VariantCascades& variant, double alpha);

}  // namespace retrial::pruning
