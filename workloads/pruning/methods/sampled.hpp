#pragma once

#include "workloads/pruning/methods/scoring_view.hpp"

/// Methods that draw what stays. Draws of a layer: draws.hpp.
namespace retrial::pruning::inline methods {

/// The same share of every layer, drawn with the scores as probabilities until as many distinct weights have come; what
/// stays keeps its value.
[[nodiscard]] Allocation sample_share(const Sight& sight, const WeightScores& scores, double keep,
                                      const std::vector<bool>& may_prune);

/// SiPPRand: of every filter, and of its positive and its negative weights apart, ceil(x) draws with probability
/// p_j = s_j / sum s; what was drawn c times of n is multiplied by c / (n p_j). x minimises the sum of the error bounds
/// over the filters of each layer (budget.hpp). With `hybrid` a filter keeps its ceil(x) best weights, unscaled, where
/// the sum of the scores that go is the smaller bound.
[[nodiscard]] Allocation sample_rows(const Sight& sight, const WeightScores& scores, double keep,
                                     const std::vector<bool>& may_prune, bool hybrid);

/// PFP with drawn channels. `topped`: with M the least number of draws whose expected distinct ones reach the n of the
/// deterministic method, channels with q_j >= 1 / M stay, and others are drawn until there are n; else the m(eps) draws
/// of the bound decide, n being what they are expected to give.
[[nodiscard]] Allocation sample_by_bound(const Sight& sight, const ChannelScores& scores, double keep, bool topped);

}  // namespace retrial::pruning::inline methods
