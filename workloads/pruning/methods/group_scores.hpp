#pragma once

#include <string>
#include <vector>

#include "workloads/pruning/methods/allocation.hpp"

namespace retrial::pruning::inline methods {

/// How what the members of a group say of a channel becomes one number, and how the numbers of a group are brought to
/// one scale (Fang, Ma, Song, Mi and Wang, "DepGraph", CVPR 2023).
enum class Reduce { sum, mean, max, prod, first };
enum class Scaling { none, sum, mean, max, standardise };
[[nodiscard]] const std::vector<std::string>& reduce_names();  ///< in the order of the enumeration
[[nodiscard]] const std::vector<std::string>& scaling_names();
/// Of one of the names.
[[nodiscard]] Reduce reduce_from(const std::string& name);
[[nodiscard]] Scaling scaling_from(const std::string& name);

/// What one member of a group says of its channels.
struct Member {
  Channels channels;
  std::vector<double> scores;  ///< one a channel of its range
};

/// One score a channel: over the members that have the channel, then scaled over the group. What no member has scores
/// 0, and so does everything where the sum, the mean, the greatest or the deviation is 0.
[[nodiscard]] ChannelScores reduced(const Network& network, const std::vector<Member>& members, Reduce reduce,
                                    Scaling scaling);

/// How many channels of a group may stay: at least what max_group_ratio leaves, in multiples of round_to.
struct GroupRule {
  std::int64_t round_to = 1;
  double max_group_ratio = 1;
};
[[nodiscard]] std::int64_t kept_of_group(std::int64_t wanted, std::int64_t size, const GroupRule& rule);

/// The same share of the channels of every group, or (pooled) the best channels of all groups together; the largest
/// network that fits keep * weights. Torch-Pruning prunes a ratio of channels; of weights it is about its square that
/// is left.
[[nodiscard]] Allocation keep_groups(const Network& network, const ChannelScores& scores, const MaskSet& current,
                                     double keep, bool pooled, const GroupRule& rule);

}  // namespace retrial::pruning::inline methods
