#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "workloads/nn/shape/state.hpp"
#include "workloads/pipeline/engine/queues.hpp"
#include "workloads/pipeline/engine/stage.hpp"

namespace retrial::pipeline::inline engine {

/// Inputs of micro-batch `unit`, row by row.
template <typename Real>
using Feed = std::function<void(std::int64_t unit, Item<Real>& to)>;

/// The loss of micro-batch `unit` from the outputs of the last stage, which become dLoss/d(output) of their mean.
template <typename Real>
using LossOf = std::function<double(std::int64_t unit, Item<Real>& outputs)>;

/// Called before each pass by the thread that runs it; for tests.
using Interference = std::function<void(std::int64_t stage, std::int64_t unit)>;

/// All stages and the queues between them, at rest. A runner (workers.hpp) moves it; between two calls of a runner it
/// is at a cut: every stage before the forward of one micro-batch, wherever its backwards are.
template <typename Real>
struct Pipeline {
  Pipeline(const Method& method, const Network& network, std::vector<std::vector<double>> initial, Feed<Real> inputs,
           LossOf<Real> loss_of_outputs, const StageMath<Real>& math = native_math<Real>());
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  const Method method;
  const bool rebuilds;  ///< StageMath's
  std::vector<Stage<Real>> stages;
  Feed<Real> feed;
  LossOf<Real> loss;
  std::vector<Fifo<Item<Real>>> activations;  ///< waiting for the forward of each stage
  std::vector<Fifo<Item<Real>>> gradients;    ///< waiting for the backward of each stage
  std::vector<double> losses;                 ///< micro-batches that the last stage has seen, not yet taken
  std::int64_t diverged_unit = -1;            ///< the first whose loss was not finite
  Interference interference;

  [[nodiscard]] std::int64_t stage_count() const { return static_cast<std::int64_t>(stages.size()); }
  /// No stage will make an update any more: all samples are through, or a loss was not finite and the samples before it
  /// have been drained.
  [[nodiscard]] bool finished() const;
  /// No loss was infinite or NaN, but a weight is.
  [[nodiscard]] bool weights_finite() const;

  void save(nn::StateWriter& to) const;
  void load(nn::StateReader& from);
};

/// Runs all stages in this thread to the cut before micro-batch `cut`, or to the end: the simulated clock. Stages take
/// turns; each runs what its program names next as soon as its input is there. No order of visits changes a bit.
template <typename Real>
class TickEngine {
 public:
  explicit TickEngine(Pipeline<Real>& pipeline) : pipeline_(pipeline) {}
  void run(std::int64_t cut);

 private:
  Pipeline<Real>& pipeline_;
};

/// The same on `workers` threads, each with neighboring stages, between them rings of `queue` items. Every stage
/// follows its program and waits for its input, so the result is that of TickEngine in every bit. Threads end before
/// `run` returns. An exception in a worker stops all; the one of the first (tick, stage) is thrown on, as
/// TrialFailure("pipeline.worker") unless it is a TrialFailure already.
template <typename Real>
class ThreadedEngine {
 public:
  ThreadedEngine(Pipeline<Real>& pipeline, std::int64_t workers, std::int64_t queue)
      : pipeline_(pipeline), workers_(workers), queue_(queue) {}
  void run(std::int64_t cut) { run_workers(cut, false); }
  /// To the end without programs: a worker runs any backward whose gradient is there, else a forward if fewer than D +
  /// 1 samples are in flight. The delays are those that happen, at most those of the model; no two runs need to agree.
  void run_free() { run_workers(pipeline_.method.units(), true); }
  /// Seconds in which each worker did not wait.
  [[nodiscard]] const std::vector<double>& busy_seconds() const { return busy_seconds_; }
  [[nodiscard]] double elapsed_seconds() const { return elapsed_seconds_; }

 private:
  void run_workers(std::int64_t cut, bool free);

  Pipeline<Real>& pipeline_;
  std::int64_t workers_, queue_;
  std::vector<double> busy_seconds_;
  double elapsed_seconds_ = 0;
};

}  // namespace retrial::pipeline::inline engine
