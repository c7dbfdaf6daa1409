#pragma once

#include <cstdint>
#include <span>

#include "workloads/pruning/allocation/allocation.hpp"

namespace retrial::pruning::inline allocation {

/// The q-quantile of values, linear between order statistics; not empty.
[[nodiscard]] double linear_quantile(std::vector<double> values, double q);

/// ShrinkBench's rule (Blalock et al., MLSys 2020): t = quantile of |score| at 1 - keep over all weights, or layer by
/// layer; scores strictly between -t and t are removed, so that ties are kept and more may be left than requested.
/// Masked scores count as 0, like their weights: keep is a share of the initial weights in every step of a cascade.
/// Layers that may not be pruned keep all and do not count. Throws as require_numbers does.
[[nodiscard]] Allocation keep_above_quantile(const WeightScores& scores, const MaskSet& current, double keep,
                                             const std::vector<bool>& may_prune, bool by_layer);

}  // namespace retrial::pruning::inline allocation
