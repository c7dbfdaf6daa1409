#pragma once

#include <optional>

#include "workloads/pruning/methods/lottery.hpp"
#include "workloads/pruning/methods/methods.hpp"

namespace retrial::pruning::inline methods {

/// How a step of pruning is cut; the keys of the same names.
struct StepOptions {
  const Method* method = nullptr;
  std::optional<Rule> scope;  ///< global or layer in the place of the method's own rule
  bool exact = true;
  std::int64_t min_keep = 0;
  bool prune_classifier = true;
  LotteryRule lottery = LotteryRule::exact;
  std::optional<data::Rational> level;  ///< the fraction of one level, for lth
  Reduce reduce = Reduce::mean;         ///< of the methods that score groups, as the three below
  Scaling scaling = Scaling::mean;
  GroupRule group = {};
};

/// Score, then keep the share `keep` of the initial weights. What was masked stays masked.
[[nodiscard]] Allocation prune_step(const Sight& sight, double keep, const StepOptions& options);

/// The smallest keep ratio with min_keep weights in every layer that may be pruned; 0 without min_keep.
[[nodiscard]] double smallest_keep(const Network& network, std::int64_t min_keep, bool prune_classifier);

}  // namespace retrial::pruning::inline methods
