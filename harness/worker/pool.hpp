#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
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
  std::chrono::milliseconds timeout{0};  ///< longest silence of a worker; 0: no limit
  std::int64_t max_memory = 0;           ///< resident bytes of a worker and its children; 0: no limit
  bool fresh = false;                    ///< a new process for every trial
  std::string build_id;                  ///< the only build that may run the trials; empty: any
  std::chrono::milliseconds hello_patience{120'000};
  Surroundings surroundings = {};
  /// Devices for the workers in turn, as CUDA_VISIBLE_DEVICES names them; a worker in place of another gets its device.
  /// Empty: every worker sees what this program sees.
  std::vector<std::string> gpus = {};
};

/// The outcome of one job.
struct JobResult {
  std::size_t job = 0;
  results::Status status = results::Status::ok;
  WorkerEvent event;    ///< finished, stopped or failed, with what was recorded; empty when the worker died
  std::string message;  ///< if not ok: error class, description, last output
  ChildEnd end;         ///< if the worker died
  bool stopped_by_us = false;
  std::int64_t started_ns = 0, wall_ns = 0;
  std::string worker;
  Json manifest;  ///< base manifest of the worker that ran it
  std::vector<std::string> warnings;
};

/// Progress of a running job, as last reported by its worker.
struct JobProgress {
  std::size_t job = 0;
  double fraction = 0;   ///< share of the run that is done
  std::string text;      ///< the workload's own description; empty: none
  double elapsed_s = 0;  ///< since the job was sent to the worker
};

/// Workers that run in parallel. A worker that crashes, hangs, grows too large or breaks the protocol costs the one
/// trial it runs and is replaced. Throws Error{measurement} when a worker never sends hello, Error{incomparable} when
/// it is not the build that the trials were planned for, or when the mode needs a device and it finds none.
///
/// A trial that fails as cuda.sticky has left its worker without a usable GPU: the worker is replaced. After two such
/// trials in a row a GPU gets no more of them, and the second says so; Error{measurement} when none is left. A GPU that
/// fails itself (cuda.ecc, cuda.lost) gets no more at once.
class WorkerPool {
 public:
  explicit WorkerPool(PoolSettings settings);
  ~WorkerPool();

  /// True if another job can start at once.
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] std::size_t running() const;
  /// Sum over the running jobs of the share that is done (for the ETA).
  [[nodiscard]] double fraction_running() const;
  /// Progress of each busy worker, in the order of the workers.
  [[nodiscard]] std::vector<JobProgress> progress() const;
  void start(std::size_t job, RunOrder order);
  /// Waits until a job ends, `patience` is over, or a signal arrives.
  [[nodiscard]] std::vector<JobResult> wait(std::chrono::milliseconds patience);
  /// Stops all running jobs; the next wait() returns their results.
  void stop();

 private:
  struct Slot;
  void order_next(Slot& slot);
  void note_gpu(Slot& slot, JobResult& result);
  void demand_gpu() const;
  void demand_build(const WorkerEvent& hello) const;
  void demand_device(const WorkerEvent& hello) const;
  void handle_events(Slot& slot, std::vector<JobResult>& ended);
  void watch(Slot& slot, std::vector<JobResult>& ended);
  void finish_dead(Slot& slot, std::vector<JobResult>& ended);
  JobResult result_of(Slot& slot) const;
  [[nodiscard]] std::string timeout_message(const Slot& slot) const;

  PoolSettings settings_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::map<std::string, int> sticky_;  ///< by GPU: trials in a row that left it unusable
};

}  // namespace retrial::harness::inline worker
