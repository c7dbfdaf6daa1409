#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace retrial::harness::inline stored {

/// done: an attempt counts. failed: tried, and not run again unless --retry-failed asks for it. running: started
/// without an end (under way, or lost with its process). missing: never tried, or stopped by our own end.
enum class TrialState { done, failed, running, missing };

struct PlannedTrial {
  results::PlanEntry entry;
  TrialState state = TrialState::missing;
  /// The attempt that counts; of a failed trial the newest one; else null. Points into the attempts that were read, all
  /// of which it keeps: copies of 100,000 rows took as long as reading them.
  std::shared_ptr<const results::TrialRow> row;
  std::optional<std::int64_t> started_ns;  ///< of the attempt that is under way
};

[[nodiscard]] std::string_view name_of(TrialState state);

/// The attempt stored last; of a wall clock that was set back `started_ns` says nothing. `attempts` is not empty.
[[nodiscard]] const results::TrialRow& newest(const std::vector<results::TrialRow>& attempts);
/// An event says that this attempt was ended by our own stop.
[[nodiscard]] bool ended_by_retrial(const results::Store& store, const results::TrialRow& attempt);

/// What the last `most` of the failed trials among these said, by the store's number of the attempt: a query each.
using FailureMessages = std::map<std::int64_t, std::optional<std::string>>;
[[nodiscard]] FailureMessages failure_messages(const results::Store& store, const std::vector<PlannedTrial>& trials,
                                               std::size_t most);

/// What became of every trial of a plan, in plan order.
[[nodiscard]] std::vector<PlannedTrial> plan_state(const results::Store& store,
                                                   const std::vector<results::PlanEntry>& plan);
/// The same for a caller that has read store.trials() already.
[[nodiscard]] std::vector<PlannedTrial> plan_state(const results::Store& store,
                                                   const std::vector<results::PlanEntry>& plan,
                                                   std::shared_ptr<const std::vector<results::TrialRow>> attempts);

}  // namespace retrial::harness::inline stored
