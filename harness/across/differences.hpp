#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "harness/across/matched_runs.hpp"

namespace retrial::harness::inline across {

/// Trials that both stores hold: the same keys, seeds and mode, and the same program but for the build of retrial.
struct SameIdentity {
  std::size_t trials = 0, equal = 0;            ///< equal: outcome metrics and digests bit by bit
  std::size_t other_build = 0;                  ///< subset run by two builds
  std::string first_baseline, first_candidate;  ///< names of the first trial whose outcome differs
};
[[nodiscard]] SameIdentity same_identity(const StoreSide& baseline, const StoreSide& candidate,
                                         std::span<const MatchedRuns> all);

/// A field of the manifests that differs between the two stores.
struct StoreDifference {
  std::string field, baseline, candidate;  ///< values in the first trials that differ
  std::size_t trials = 0;                  ///< compared trials in which it differs
};
struct StoreDifferences {
  std::size_t compared = 0;  ///< trials of each store
  std::vector<StoreDifference> fields;
};
/// Fields that can change bits, most specific first, then further facts about the machine: over the pairs, or where
/// no pairs exist, over the runs place by place, whose seeds are not compared.
[[nodiscard]] StoreDifferences differences_of(const StoreSide& baseline, const StoreSide& candidate,
                                              std::span<const MatchedRuns> all);

}  // namespace retrial::harness::inline across
