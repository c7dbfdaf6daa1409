#pragma once

#include "workloads/pruning/methods/scoring_view.hpp"

/// Methods that draw the weights to keep. Draws of a layer: draws.hpp.
namespace retrial::pruning::inline steps {

/// The same share of every layer, drawn with the scores as probabilities until that many distinct weights have been
/// picked; kept weights keep their values.
[[nodiscard]] Allocation sample_share(const Sight& sight, const WeightScores& scores, double keep,
                                      const std::vector<bool>& may_prune);

/// SiPPRand: from every filter, separately for its positive and negative weights, ceil(x) draws with probability
/// p_j = s_j / sum s; a weight drawn c times of n is multiplied by c / (n p_j). x minimises the sum of the error bounds
/// over the filters of each layer (budget.hpp). With `hybrid` a filter keeps its ceil(x) best weights, unscaled, if the
/// sum of the removed scores is the smaller bound.
[[nodiscard]] Allocation sample_rows(const Sight& sight, const WeightScores& scores, double keep,
                                     const std::vector<bool>& may_prune, bool hybrid);

/// PFP with drawn channels. `topped`: with M the smallest number of draws whose expected number of distinct channels
/// reaches the n of the deterministic method, channels with q_j >= 1 / M are kept, and others are drawn until there are
/// n; else the m(eps) draws of the bound decide, which are expected to give n.
[[nodiscard]] Allocation sample_by_bound(const Sight& sight, const ChannelScores& scores, double keep, bool topped);

}  // namespace retrial::pruning::inline steps
