#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/worker/process.hpp"
#include "harness/worker/protocol.hpp"

namespace retrial::harness::inline worker {

struct PoolSettings {
  std::filesystem::path worker;
  determinism::KernelMode mode;
  int jobs = 1;
  std::chrono::milliseconds timeout{0};  ///< without any line from the worker; 0: none
  std::int64_t max_memory = 0;           ///< resident bytes of a worker and its children; 0: none
  bool fresh = false;                    ///< a new process for every trial
  std::string build_id;                  ///< the only build that may run the trials; empty: any
  std::chrono::milliseconds hello_patience{120'000};
};

/// How one ordered run ended.
struct JobResult {
  std::size_t job = 0;
  results::Status status = results::Status::ok;
  WorkerEvent event;    ///< finished, stopped or failed, with what was recorded; empty when the worker died
  std::string message;  ///< of an attempt that is not ok: class, what happened, last output
  ChildEnd end;         ///< of a worker that died
  bool stopped_by_us = false;
  std::int64_t started_ns = 0, wall_ns = 0;
  std::string worker;
  Json manifest;  ///< base manifest of the worker that ran it
  std::vector<std::string> warnings;
};

/// One run under way, as its worker told it last.
struct Standing {
  std::size_t job = 0;
  double fraction = 0;   ///< of the run that is done
  std::string text;      ///< where it stands; empty: it did not say
  double elapsed_s = 0;  ///< since it was ordered
};

/// Workers side by side. A worker that crashes, hangs, grows too large or writes nonsense costs the one trial it
/// runs and is replaced. Throws Error{measurement} when a worker never says hello,
/// Error{incomparable} when it is another build than was planned for.
class WorkerPool {
 public:
  explicit WorkerPool(PoolSettings settings);
  ~WorkerPool();

  /// True while another job can start at once.
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] std::size_t running() const;
  /// Share of the running jobs that is done, summed (for the ETA).
  [[nodiscard]] double fraction_running() const;
  /// Of every worker that is busy, in the order of the workers.
  [[nodiscard]] std::vector<Standing> standings() const;
  void start(std::size_t job, RunOrder order);
  /// Waits until something ended or `patience` is over, or a signal arrives.
  [[nodiscard]] std::vector<JobResult> wait(std::chrono::milliseconds patience);
  /// Ends everything that runs; the results come out of the next wait().
  void stop();

 private:
  struct Slot;
  void order_next(Slot& slot);
  void demand_build(const WorkerEvent& hello) const;
  void handle_events(Slot& slot, std::vector<JobResult>& ended);
  void watch(Slot& slot, std::vector<JobResult>& ended);
  void finish_dead(Slot& slot, std::vector<JobResult>& ended);
  JobResult result_of(Slot& slot) const;

  PoolSettings settings_;
  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace retrial::harness::inline worker
