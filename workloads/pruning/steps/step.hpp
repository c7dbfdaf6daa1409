#pragma once

#include <optional>

#include "workloads/pruning/allocation/lottery.hpp"
#include "workloads/pruning/methods/methods.hpp"

namespace retrial::pruning::inline steps {

/// The settings of a pruning step, by the keys of the same names.
struct StepOptions {
  const Method* method = nullptr;
  std::optional<Rule> scope;  ///< global or layer instead of the method's own rule
  bool exact = true;
  std::int64_t min_keep = 0;
  bool prune_classifier = true;
  LotteryRule lottery = LotteryRule::exact;
  std::optional<data::Rational> level;  ///< the fraction of one level, for lth
  Reduce reduce = Reduce::mean;         ///< for methods that score groups, as the next three
  Scaling scaling = Scaling::mean;
  GroupRule group = {};
};

/// Scores, then keeps the share `keep` of the initial weights. Masked weights stay masked.
[[nodiscard]] Allocation prune_step(const Sight& sight, double keep, const StepOptions& options);

/// The smallest keep ratio with min_keep weights in every layer that may be pruned; 0 without min_keep.
[[nodiscard]] double smallest_keep(const Network& network, std::int64_t min_keep, bool prune_classifier);

}  // namespace retrial::pruning::inline steps
