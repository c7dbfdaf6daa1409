#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace retrial::harness::inline stored {

/// done: an attempt counts. failed: tried; runs again only with --retry-failed. running: started but not ended (running
/// now, or lost with its process). missing: never tried, or stopped when retrial ended.
enum class TrialState { done, failed, running, missing };

/// "2 attempts began and left no record: ...".
[[nodiscard]] std::string lost_attempts_text(std::int64_t attempts);

struct PlannedTrial {
  results::PlanEntry entry;
  TrialState state = TrialState::missing;
  /// The attempt that counts; for a failed trial the newest one; else null. Points into the attempts that were read and
  /// keeps them all alive: copying 100,000 rows took as long as reading them.
  std::shared_ptr<const results::TrialRow> row;
  std::optional<std::int64_t> started_ns;  ///< start of the running attempt
  /// Attempts after one that failed, timed out or ran out of memory. An attempt that was lost or that retrial stopped
  /// is no failure, so that the next one is no retry.
  std::int64_t retries = 0;
};

[[nodiscard]] std::string_view name_of(TrialState state);

/// The attempt stored last (a clock that was set back makes `started_ns` useless). `attempts` is not empty.
[[nodiscard]] const results::TrialRow& newest(const std::vector<results::TrialRow>& attempts);
/// Whether an event records that retrial itself stopped this attempt.
[[nodiscard]] bool ended_by_retrial(const results::Store& store, const results::TrialRow& attempt);

/// Messages of the last `max_count` failed trials, by the attempt's number in the store: one query each.
using FailureMessages = std::map<std::int64_t, std::optional<std::string>>;
[[nodiscard]] FailureMessages failure_messages(const results::Store& store, const std::vector<PlannedTrial>& trials,
                                               std::size_t max_count);

/// Attempts at the trials of a plan, at least: all attempts of the store, unless the plan has so few trials that asking
/// for each of them reads less.
[[nodiscard]] std::shared_ptr<const std::vector<results::TrialRow>> attempts_at(
    const results::Store& store, const std::vector<results::PlanEntry>& plan);

/// The state of every trial of a plan, in plan order.
[[nodiscard]] std::vector<PlannedTrial> plan_state(const results::Store& store,
                                                   const std::vector<results::PlanEntry>& plan);
/// Whether trials that are running are told apart from those that are missing. For that every event of the store is
/// read; where both are to be run, there is no need to.
enum class Running { told, as_missing };
/// The same with the result of attempts_at() given.
[[nodiscard]] std::vector<PlannedTrial> plan_state(const results::Store& store,
                                                   const std::vector<results::PlanEntry>& plan,
                                                   std::shared_ptr<const std::vector<results::TrialRow>> attempts,
                                                   Running running = Running::told);

}  // namespace retrial::harness::inline stored
