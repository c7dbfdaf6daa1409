#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>

#include "workloads/pipeline/engine/engine.hpp"

namespace retrial::pipeline::inline engine {

/// The rings between a worker and its neighbors, and the sign that an error stopped one of them. A worker without
/// neighbors has none.
template <typename Real>
struct Links {
  Ring<Item<Real>>* activations_in = nullptr;
  Ring<Item<Real>>* gradients_out = nullptr;
  Ring<Item<Real>>* activations_out = nullptr;
  Ring<Item<Real>>* gradients_in = nullptr;
  const std::atomic<bool>* stopped = nullptr;
};

/// Thrown in a worker whose neighbor failed.
struct Stopped {};

/// Place and reason of an early end of a worker.
struct WorkerError {
  std::int64_t tick = 0, stage = 0;
  std::exception_ptr error;
};

/// Runs the stages [first, last) of a pipeline in the calling thread. Whenever it waits, it takes in what has arrived,
/// so that no ring stays full for ever, whatever its capacity.
template <typename Real>
class Worker {
 public:
  Worker(Pipeline<Real>& pipeline, std::int64_t first, std::int64_t last, const Links<Real>& links)
      : pipeline_(pipeline), first_(first), last_(last), links_(links) {}

  /// Every stage by its program, up to the forward of micro-batch `cut`.
  void run(std::int64_t cut);
  /// Every stage as soon as it can, to the end.
  void run_free();
  [[nodiscard]] double waited_seconds() const { return waited_seconds_; }
  /// The pass that it is in or was in last.
  [[nodiscard]] std::int64_t stage() const { return stage_; }
  [[nodiscard]] std::int64_t tick() const;

 private:
  static constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();

  [[nodiscard]] Stage<Real>& at(std::int64_t s) { return pipeline_.stages[static_cast<std::size_t>(s)]; }
  [[nodiscard]] Fifo<Item<Real>>& activations(std::int64_t s) {
    return pipeline_.activations[static_cast<std::size_t>(s)];
  }
  [[nodiscard]] Fifo<Item<Real>>& gradients(std::int64_t s) { return pipeline_.gradients[static_cast<std::size_t>(s)]; }
  [[nodiscard]] bool advance(std::int64_t s, std::int64_t cut);
  [[nodiscard]] bool advance_freely(std::int64_t s, bool backward);
  [[nodiscard]] bool at_cut(std::int64_t s, std::int64_t cut);
  [[nodiscard]] bool done(std::int64_t cut);
  void forward(std::int64_t s);
  void backward(std::int64_t s);
  void take_loss(std::int64_t unit);
  bool receive(std::size_t most);
  void send(Ring<Item<Real>>& ring);
  void wait();
  void resume();

  Pipeline<Real>& pipeline_;
  std::int64_t first_, last_;
  Links<Real> links_;
  Item<Real> in_, out_, received_;
  Workspace<Real> work_;
  std::int64_t stage_ = 0, unit_ = 0, polls_ = 0;
  bool in_backward_ = false;
  std::chrono::steady_clock::time_point wait_start_;
  double waited_seconds_ = 0;
};

}  // namespace retrial::pipeline::inline engine
