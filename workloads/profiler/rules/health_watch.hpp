#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <span>

#include "workloads/profiler/rules/captures.hpp"

namespace retrial::profiler::inline rules {

/// Looks into every n-th gradient step of a training, from its start to its end. It reads and changes nothing. One
/// at a time in a process, and one thread trains.
class HealthWatch {
 public:
  /// Looks at the gradient steps `every`, 2 `every`, ...
  explicit HealthWatch(std::int64_t every);
  ~HealthWatch();
  HealthWatch(const HealthWatch&) = delete;
  HealthWatch& operator=(const HealthWatch&) = delete;

  [[nodiscard]] std::int64_t every() const { return every_; }
  [[nodiscard]] Captures captures() && { return std::move(captures_); }

  /// Of the step that is looked at: a tensor before its update, and after it. A tensor without elements is left out.
  void updating(const std::string& tensor, std::span<const float> weights);
  void updated(const std::string& tensor, std::span<const float> gradient, std::span<const float> weights);
  /// Inputs of an activation function, rows of `units` values; of several calls before the update, the last counts.
  void activated(const std::string& layer, Activation kind, std::span<const float> inputs, std::size_t units);

 private:
  friend void gradient_step_made(std::int64_t, double);
  friend void epoch_evaluated(double, double);
  void made(std::int64_t step, double loss);
  void arm(std::int64_t next);

  std::int64_t every_;
  Captures captures_;
  Capture now_;
  std::int64_t steps_made_ = 0;
  std::map<std::string, std::vector<float>> before_, last_;
  std::chrono::steady_clock::time_point captured_ = std::chrono::steady_clock::now();
};

namespace detail {
inline constinit std::atomic<HealthWatch*> watch{nullptr}, armed_watch{nullptr};
}

/// The watch, where the gradient step under way is one that it looks at; else null.
[[nodiscard]] inline HealthWatch* watch_of_step() {
  return detail::armed_watch.load(std::memory_order_relaxed);
}
/// After each gradient step: how many were made, and the loss of this one.
void gradient_step_made(std::int64_t step, double loss);
[[nodiscard]] inline bool health_is_watched() {
  return detail::watch.load(std::memory_order_relaxed) != nullptr;
}
/// After an epoch with a loss on rows that do not train.
void epoch_evaluated(double training_loss, double validation_loss);

}  // namespace retrial::profiler::inline rules
