#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace retrial::determinism::inline price {

/// What one process times: a layer, or the training that its order names beside it.
struct PriceOrder {
  std::string layer;       ///< empty: a training
  std::int64_t batch = 1;  ///< of the layer
  bool fill = true;        ///< uninitialized memory is filled, which a deterministic mode alone does
  std::int64_t warmup = 20, steps = 50;

  /// Steps after the others, in which kernels are timed: an observer of every operator would be part of the wall time.
  [[nodiscard]] std::int64_t kernel_steps() const { return steps < 5 ? 1 : steps / 5; }
  [[nodiscard]] std::int64_t last() const { return warmup + steps + kernel_steps(); }
};

/// Milliseconds per step.
struct StepTimes {
  std::vector<double> wall, kernel;
  std::string no_kernel_times;  ///< why `kernel` is empty
};

/// The clocks of a process, in nanoseconds. Plain functions, so that a test can plant times.
struct PriceClocks {
  std::function<std::int64_t()> wall;          ///< after everything that was started has ended
  std::function<void(bool)> observe;           ///< kernels are timed from now on, or no longer; empty: they cannot be
  std::function<std::int64_t()> kernels = {};  ///< sum of the time in operators, while observed
  std::string no_kernel_times = {};            ///< why they cannot be
};

/// Turns counts of finished steps into times per step: warm-up, then wall time, then time in kernels.
class StepClock {
 public:
  StepClock(const PriceOrder& order, PriceClocks clocks) : order_(order), clocks_(std::move(clocks)) {}
  /// `done` steps have been done, which need not be called for each. True once all is timed.
  bool at(std::int64_t done);
  [[nodiscard]] std::int64_t done() const { return done_; }
  [[nodiscard]] StepTimes times() const;

 private:
  PriceOrder order_;
  PriceClocks clocks_;
  StepTimes times_;
  enum class Phase { warmup, wall, kernels } phase_ = Phase::warmup;
  std::int64_t done_ = 0, wall_ns_ = 0, kernel_ns_ = 0;
};

}  // namespace retrial::determinism::inline price
