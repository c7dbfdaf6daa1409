#pragma once

#include <chrono>
#include <functional>

#include "harness/plan/plan.hpp"
#include "harness/run/trial_record.hpp"
#include "harness/worker/pool.hpp"

namespace retrial::harness::inline run {

/// A trial under way and where it stands.
struct TrialProgress {
  std::string name;  ///< "null/base pair 3"
  Standing standing;
};

/// Where a run stands; handed to the progress line after every change and at least every 250 ms.
struct RunProgress {
  std::size_t planned = 0, finished = 0, failed = 0, running = 0;
  double elapsed_s = 0;
  std::optional<double> remaining_s;  ///< after three finished trials
  const results::PlanEntry* last = nullptr;
  results::Status last_status = results::Status::ok;
  std::vector<TrialProgress> under_way = {};  ///< one a worker
};

struct RunSettings {
  PoolSettings pool;
  std::filesystem::path data, cache;
  workloads::Folders folders;  ///< that keys of place name
  std::optional<std::string> host_label;
  bool retry_failed = false;
  std::int64_t checksum_every = 0;
  std::function<void(const RunProgress&)> progress;
  std::function<void(const results::PlanEntry&, const std::string&)> warn;
  /// Once for each trial, after its commit has returned: from then on nothing loses it.
  std::function<void(const results::PlanEntry&, const results::TrialRecord&)> stored;
  /// Once for each attempt that ended by itself, before it is stored: brief trials are stored in groups.
  std::function<void(const results::PlanEntry&, const results::TrialRecord&)> ended;
  /// A trial that another process has settled since this launch began.
  std::function<void(const results::PlanEntry&)> settled;
  /// True: nothing further is started; what is under way ends and is stored.
  std::function<bool()> enough;
};

struct RunSummary {
  std::size_t planned = 0;     ///< trials of the plan
  std::size_t before = 0;      ///< finished before this launch
  std::size_t finished = 0;    ///< by this launch, ok or diverged
  std::size_t failed = 0;      ///< of the plan, still without a usable attempt
  std::size_t unfinished = 0;  ///< not tried, or ended by ourselves
  int signal = 0;              ///< SIGINT or SIGTERM that ended the launch; 0: none
};

/// Places in the plan that a launch runs: all that are missing or were lost, and the failed ones with retry_failed.
[[nodiscard]] std::vector<std::size_t> open_trials(const results::Store& store,
                                                   const std::vector<results::PlanEntry>& plan, bool retry_failed);

/// Runs what is missing of a stored study and commits every trial as it finishes. While the caller holds a SignalWatch,
/// SIGINT or SIGTERM lets the trials under way finish; a second one ends them (an event says that it was us).
[[nodiscard]] RunSummary run_study(results::Store& store, const Json& study,
                                   const std::vector<results::PlanEntry>& plan, const RunSettings& settings);

}  // namespace retrial::harness::inline run
