#pragma once

#include <chrono>
#include <functional>

#include "harness/plan/plan.hpp"
#include "harness/run/trial_record.hpp"
#include "harness/worker/pool.hpp"

namespace retrial::harness::inline run {

/// A running trial and its progress.
struct TrialProgress {
  std::string name;  ///< "null/base pair 3"
  JobProgress job;
};

/// Progress of a run; passed to the progress line after every change and at least every 250 ms.
struct RunProgress {
  std::size_t planned = 0, finished = 0, failed = 0, running = 0;
  double elapsed_s = 0;
  std::optional<double> remaining_s;  ///< after three finished trials
  const results::PlanEntry* last = nullptr;
  results::Status last_status = results::Status::ok;
  std::vector<TrialProgress> under_way = {};  ///< one per worker
};

struct RunSettings {
  PoolSettings pool;
  std::filesystem::path data, cache;
  workloads::Folders folders;  ///< named by folder keys of the study
  workloads::Scripts scripts;  ///< that the user allows
  std::optional<std::string> host_label;
  std::optional<results::Id16> launch;  ///< of several runs that are one launch for the user; absent: drawn
  bool retry_failed = false;
  bool sealed = false;  ///< an earlier launch of this process has found the plan as it was stored
  /// Continue although the first trial of every variant has failed in the same way.
  bool keep_going = false;
  std::int64_t checksum_every = 0;
  /// Seconds between two kept states of a running trial; 0: none is kept, and no trial goes on from one.
  double keep_every = 0;
  std::function<void(const RunProgress&)> progress;
  std::function<void(const results::PlanEntry&, const std::string&)> warn;
  /// Called once per trial after its commit has returned: from then on it cannot be lost.
  std::function<void(const results::PlanEntry&, const results::TrialRecord&)> stored;
  /// Called once per attempt that ended by itself, before it is stored: short trials are stored in groups.
  std::function<void(const results::PlanEntry&, const results::TrialRecord&)> ended;
  /// Called for a trial that another process has finished since this launch began.
  std::function<void(const results::PlanEntry&)> settled;
  /// Called at the first SIGINT or SIGTERM with the number of trials that are still to finish.
  std::function<void(std::size_t)> interrupted;
  /// Longest time to finish them; without one they have all the time they need.
  std::optional<std::chrono::seconds> grace;
  /// True: start no further trials; finish and store the running ones.
  std::function<bool()> stop_requested;
};

struct RunSummary {
  std::size_t planned = 0;     ///< trials of the plan
  std::size_t before = 0;      ///< finished before this launch
  std::size_t finished = 0;    ///< by this launch, ok or diverged
  std::size_t failed = 0;      ///< trials of the plan still without a usable attempt
  std::size_t unfinished = 0;  ///< not tried, or stopped by retrial
  int signal = 0;              ///< SIGINT or SIGTERM that stopped the launch; 0: none
  /// Set when the launch stopped because the first trial of every variant failed in this way ("command.exit").
  std::optional<std::string> failed_alike = {};
};

/// Runs the missing trials of a stored study and commits each as it finishes. A study without a finished trial begins
/// with the first trials of its variants, those of a user's program one at a time. While the caller holds a
/// SignalWatch, the first SIGINT or SIGTERM lets the running trials finish; a second one stops them (an event records
/// that retrial stopped them).
[[nodiscard]] RunSummary run_study(results::Store& store, const Json& study,
                                   const std::vector<results::PlanEntry>& plan, const RunSettings& settings);

}  // namespace retrial::harness::inline run
