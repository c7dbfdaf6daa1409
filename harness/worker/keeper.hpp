#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "harness/worker/protocol.hpp"
#include "harness/worker/trial_recorder.hpp"

namespace retrial::harness::inline worker {

/// Keeps the state of a running trial as its order says. The clock decides which boundaries are kept and never what a
/// trial records; a state that cannot be kept or used costs a warning.
class Keeper {
 public:
  /// `order` outlives it.
  explicit Keeper(const RunOrder& order);

  /// Takes run and recorder to the kept state, if there is one. False: there is one that this trial cannot use, both
  /// are spoiled, and the trial must start over; `why` says so.
  [[nodiscard]] bool restore(workloads::Run& run, TrialRecorder& recorder, std::string& why) const;
  /// `spent`: costs of this process so far, asked for where a state is kept.
  void at_boundary(const workloads::Run& run, TrialRecorder& recorder, const std::function<WorkerEvent()>& spent);

 private:
  using Clock = std::chrono::steady_clock;
  void write(const workloads::Run& run, const TrialRecorder& recorder, const WorkerEvent& spent) const;

  const RunOrder& order_;
  Keep keep_;  ///< without a file once a state could not be kept
  Clock::time_point next_;
};

}  // namespace retrial::harness::inline worker
