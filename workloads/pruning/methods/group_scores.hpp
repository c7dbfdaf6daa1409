#pragma once

#include <string>
#include <vector>

#include "workloads/pruning/allocation/allocation.hpp"

namespace retrial::pruning::inline methods {

/// Combination of the scores of a channel from its group's members, and normalization of the scores of a group
/// (Fang, Ma, Song, Mi and Wang, "DepGraph", CVPR 2023).
enum class Reduce { sum, mean, max, prod, first };
enum class Scaling { none, sum, mean, max, standardise };
[[nodiscard]] const std::vector<std::string>& reduce_names();  ///< in the order of the enumeration
[[nodiscard]] const std::vector<std::string>& scaling_names();
/// The value of a name.
[[nodiscard]] Reduce reduce_from(const std::string& name);
[[nodiscard]] Scaling scaling_from(const std::string& name);

/// The scores that one member of a group gives its channels.
struct Member {
  Channels channels;
  std::vector<double> scores;  ///< one per channel of its range
};

/// One score per channel: combined over the members that have the channel, then scaled over the group. A channel
/// without member scores 0; all channels do if the sum, mean, maximum or deviation used for scaling is 0.
[[nodiscard]] ChannelScores reduced(const Network& network, const std::vector<Member>& members, Reduce reduce,
                                    Scaling scaling);

/// The allowed numbers of channels of a group: at least those that max_group_ratio leaves, in multiples of round_to.
struct GroupRule {
  std::int64_t round_to = 1;
  double max_group_ratio = 1;
};
[[nodiscard]] std::int64_t kept_of_group(std::int64_t wanted, std::int64_t size, const GroupRule& rule);

/// The same share of the channels of every group, or (pooled) the best channels of all groups together; the largest
/// network that fits keep * weights. Torch-Pruning prunes a ratio of channels, which leaves about its square of the
/// weights.
[[nodiscard]] Allocation keep_groups(const Network& network, const ChannelScores& scores, const MaskSet& current,
                                     double keep, bool pooled, const GroupRule& rule);

}  // namespace retrial::pruning::inline methods
