#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workloads/pruning/sight.hpp"

namespace retrial::prune {

/// Scores of a method, each a file of its own. Formulas and sources stand in those files.
[[nodiscard]] WeightScores magnitude(const Sight& sight);
[[nodiscard]] WeightScores lamp(const Sight& sight);
[[nodiscard]] WeightScores snip(const Sight& sight);
[[nodiscard]] WeightScores sipp(const Sight& sight);
[[nodiscard]] WeightScores random_weights(const Sight& sight);
[[nodiscard]] ChannelScores filter_l1(const Sight& sight);
[[nodiscard]] ChannelScores filter_l2(const Sight& sight);
[[nodiscard]] ChannelScores pfp(const Sight& sight);
[[nodiscard]] ChannelScores thinet(const Sight& sight);
[[nodiscard]] ChannelScores thinet_inverted(const Sight& sight);
[[nodiscard]] ChannelScores random_channels(const Sight& sight);

/// How scores become masks.
enum class Rule {
  best,      ///< the greatest of all layers together, exactly
  share,     ///< the same share of every layer
  channels,  ///< the same share of the channels of every group
  pfp,       ///< channels by one error bound for all layers
  lottery,   ///< a fraction of what remains
};

/// A pruning method: one row, from which keys, help and documentation come. Exactly one of the functions is there.
struct Method {
  std::string name, summary, source;
  Rule rule = Rule::best;
  WeightScores (*weights)(const Sight&) = nullptr;
  ChannelScores (*channels)(const Sight&) = nullptr;
  bool reads_samples = false;  ///< draws a scoring set from `sample`
  bool draws = false;          ///< honours `prune`

  [[nodiscard]] bool structured() const { return channels != nullptr; }
};
[[nodiscard]] const std::vector<Method>& all_methods();
/// Throws InvalidInput("method") with the nearest name.
[[nodiscard]] const Method& find_method(const std::string& name);
[[nodiscard]] std::vector<std::string> method_names();

}  // namespace retrial::prune
