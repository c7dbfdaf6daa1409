#include "harness/worker/price_run.hpp"

#include <algorithm>

#include "determinism/price/steps.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/interface/trial/run.hpp"

namespace retrial::harness::inline worker {
namespace {

constexpr std::int64_t blocks = 10;

/// Thrown through the training, of which no more is needed.
struct Enough {};

class StepWatch final : public workloads::Recorder {
 public:
  explicit StepWatch(determinism::StepClock& clock) : clock_(clock) {}
  void digest(std::string_view name, std::int64_t step, std::string_view, std::string_view) override {
    if (name == "step_weights" && clock_.at(step)) throw Enough();
  }
  void metric(std::string_view, double, std::int64_t) override {}
  void progress(double) override {}
  void warning(std::string_view) override {}
  void diverged(std::int64_t) override {}
  void artifact(std::string_view, std::string_view, std::string_view) override {}

 private:
  determinism::StepClock& clock_;
};

}  // namespace

std::int64_t steps_between_times(const determinism::PriceOrder& order) {
  return std::max<std::int64_t>(1, order.steps / blocks);
}

determinism::StepTimes price_layer(const determinism::PriceOrder& order, const determinism::KernelMode& mode) {
  determinism::set_fill(order.fill);
  return determinism::time_layer(order, mode.on_gpu());
}

determinism::StepTimes price_training(const determinism::PriceOrder& order, const workloads::Trial& trial,
                                      workloads::Place place, const determinism::KernelMode& mode) {
  determinism::set_fill(order.fill);
  place.checksum_every = steps_between_times(order);
  place.max_steps = order.last() + 2 * place.checksum_every;
  determinism::StepClock clock(order, determinism::price_clocks(mode.on_gpu()));
  StepWatch watch(clock);
  try {
    const auto run = workloads::find_start(trial.workload)(trial, place);
    while (run->advance(watch)) {
    }
  } catch (const Enough&) {
    return clock.times();
  }
  throw workloads::TrialFailure("price.too_few_steps",
                                "the training ended after " + std::to_string(clock.done()) + " steps, and " +
                                    std::to_string(order.last()) +
                                    " are needed (warm-up, steps, and a fifth of the steps for kernels): train more "
                                    "epochs, or time fewer steps with --warmup and --steps");
}

}  // namespace retrial::harness::inline worker
