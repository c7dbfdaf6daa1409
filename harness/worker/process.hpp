#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "determinism/mode/kernel_mode.hpp"
#include "harness/system/line_io.hpp"
#include "harness/worker/protocol.hpp"

namespace retrial::harness::inline worker {

/// The end of a child process.
struct ChildEnd {
  std::optional<int> exit_code, signal;
  bool outlived = false;                   ///< did not end in time and was killed by us
  [[nodiscard]] std::string text() const;  ///< "killed by signal 11 (SIGSEGV)", "exited with code 3"
};

/// Surroundings of a worker and the programs it starts: variables set after those of the mode, the folder it
/// starts in (empty: ours), and the program that runs the worker, with its arguments, such as an emulator of another
/// CPU (empty: none).
struct Surroundings {
  std::map<std::string, std::string> environment;
  std::filesystem::path folder;
  std::vector<std::string> launcher = {};
};

/// One worker: a child in its own process group, with a pipe each way and one for its printed output.
class WorkerProcess {
 public:
  /// Starts `program` with the environment of `mode`. Throws Error{measurement} when it cannot be started.
  WorkerProcess(const std::filesystem::path& program, const determinism::KernelMode& mode,
                const Surroundings& surroundings = {});
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int events_fd() const { return events_; }
  [[nodiscard]] int output_fd() const { return output_; }

  /// False when the worker is gone.
  [[nodiscard]] bool send(const RunOrder& order);
  /// Reads the bytes that have arrived. False at the end of the events.
  [[nodiscard]] bool read_events();
  /// The next complete event. Throws Error{integrity} when a line does not follow the protocol.
  [[nodiscard]] std::optional<WorkerEvent> next_event();
  void read_output();
  [[nodiscard]] OutputTail& output() { return tail_; }

  void terminate() const;  ///< SIGTERM to the group
  void kill() const;       ///< SIGKILL to the group
  /// Waits up to `patience` for the worker to exit, then ends it and its group; collects the exit status.
  ChildEnd reap(std::chrono::milliseconds patience);
  /// Resident bytes of the worker and everything it started.
  [[nodiscard]] std::int64_t resident_bytes() const;

 private:
  pid_t pid_ = -1;
  int commands_ = -1, events_ = -1, output_ = -1;
  LineSplitter lines_;
  OutputTail tail_;
};

/// The worker next to this program, or the path given by --worker. Throws Error{incomparable} if it does not exist.
[[nodiscard]] std::filesystem::path worker_program(const std::optional<std::string>& given);
/// The same for device = "cuda": retrial-worker-cuda, or the path given by --worker-cuda.
[[nodiscard]] std::filesystem::path cuda_worker_program(const std::optional<std::string>& given);

}  // namespace retrial::harness::inline worker
