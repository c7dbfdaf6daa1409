#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "workloads/pruning/allocation/principal.hpp"
#include "workloads/pruning/network/channels.hpp"
#include "workloads/pruning/network/low_rank.hpp"
#include "workloads/pruning/network/masks.hpp"

namespace retrial::pruning::inline allocation {

/// One score per weight, layer by layer in the order of the masks; larger scores are kept longer.
using WeightScores = std::vector<std::vector<double>>;
/// One score per channel, group by group; those of groups that are not removable are not read.
using ChannelScores = std::vector<std::vector<double>>;

/// The decision of a pruning step.
struct Allocation {
  MaskSet masks;
  std::int64_t moved = 0;                        ///< weights that min_keep moved between layers
  std::vector<std::string> warnings = {};        ///< in sentences
  std::vector<std::vector<float>> factors = {};  ///< factor of every weight, layer by layer; empty: nothing is scaled
  std::optional<double> dual_gap = {};           ///< for a method that divides a budget by optimization
  std::vector<Rank> ranks = {};                  ///< rank of each layer, from a low-rank method; then nothing is masked
  std::vector<Principal> principal = {};         ///< for each layer, if factors are made from its outputs
  std::optional<double> rank_error = {};         ///< the largest relative error of the ranks
};

/// round(keep * weights), halves away from 0: the number of initial weights to keep.
[[nodiscard]] std::int64_t budget_of(double keep, std::int64_t weights);

/// Exactly `budget` weights with the largest scores. Order: score descending, layer ascending, place ascending, without
/// masked weights. Ties therefore never depend on threads, memory or the algorithm. Linear on average.
/// `may_prune[layer]`: false keeps (and counts) all live weights there. `min_keep` forces that many in each layer,
/// taken from the lowest kept scores of layers that have more. Throws TrialFailure("prune.nan_scores") naming the
/// layer.
[[nodiscard]] Allocation keep_best(const WeightScores& scores, const MaskSet& current, std::int64_t budget,
                                   std::int64_t min_keep, const std::vector<bool>& may_prune);

/// The same share of every layer: floors of keep * weights, the rest by largest remainders, so that the sum is exactly
/// the budget. Within a layer as above.
[[nodiscard]] Allocation keep_share(const WeightScores& scores, const MaskSet& current, double keep,
                                    const std::vector<bool>& may_prune);

/// The number of weights to keep in each layer for the same share; all of them if it may not be pruned.
[[nodiscard]] std::vector<std::int64_t> share_counts(const MaskSet& current, double keep,
                                                     const std::vector<bool>& may_prune);

/// The same share of the channels of every group: n = max(1, round(r * channels)), r by 50 bisections of the size of
/// the remaining network, the last that fits keep * weights (all 1 if none does). If stages of different width share a
/// group (shortcut A), each keeps at least its best channel.
[[nodiscard]] Allocation keep_channels(const Network& network, const ChannelScores& scores, const MaskSet& current,
                                       double keep);

/// Channels in the order in which they are kept: largest score first, ties by index, without removed channels.
[[nodiscard]] std::vector<std::int64_t> ranking(const std::vector<double>& scores,
                                                const std::vector<std::uint8_t>& alive);

using Rankings = std::vector<std::vector<std::int64_t>>;
/// One per group; empty for groups that are not removable. Throws TrialFailure("prune.nan_scores") naming the layer.
[[nodiscard]] Rankings rankings_of(const Network& network, const ChannelScores& scores, const Alive& alive);

/// The first counts[group] channels of each ranking, but at least one channel of each layer.
[[nodiscard]] Alive first_channels(const Network& network, const Rankings& rankings,
                                   const std::vector<std::int64_t>& counts);

/// kept_at(share) of the largest share in [0, 1], by 50 bisections, with at most keep * weights; else kept_at(0).
[[nodiscard]] Alive largest_fitting(const Network& network, double keep, const std::function<Alive(double)>& kept_at);

/// Throws TrialFailure("prune.nan_scores") naming the layer if the score of a live weight is NaN.
void require_numbers(const WeightScores& scores, const MaskSet& current);

/// Names of layers without live weights.
[[nodiscard]] std::vector<std::string> collapsed(const MaskSet& masks);

/// All scores of live weights are equal: they hold no information, and order decides.
[[nodiscard]] bool uninformative(const WeightScores& scores, const MaskSet& current);
/// The same for channels, within each removable group: order does not decide between groups.
[[nodiscard]] bool uninformative(const Network& network, const ChannelScores& scores, const MaskSet& current);

}  // namespace retrial::pruning::inline allocation
