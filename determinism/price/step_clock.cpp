#include "determinism/price/step_clock.hpp"

namespace retrial::determinism::inline price {
namespace {

constexpr double ns_per_ms = 1e6;

}  // namespace

bool StepClock::at(std::int64_t done) {
  const double steps = static_cast<double>(done - done_) * ns_per_ms;
  if (phase_ == Phase::wall) times_.wall.push_back(static_cast<double>(clocks_.wall() - wall_ns_) / steps);
  if (phase_ == Phase::kernels) times_.kernel.push_back(static_cast<double>(clocks_.kernels() - kernel_ns_) / steps);
  done_ = done;
  const bool walls_done = done >= order_.warmup + order_.steps;
  if (walls_done && !clocks_.observe) return true;
  if (done >= order_.last() && phase_ == Phase::kernels) {
    clocks_.observe(false);
    return true;
  }
  if (walls_done && phase_ != Phase::kernels) {
    clocks_.observe(true);
    phase_ = Phase::kernels;
  } else if (done >= order_.warmup && phase_ == Phase::warmup) {
    phase_ = Phase::wall;
  }
  if (phase_ == Phase::kernels) kernel_ns_ = clocks_.kernels();
  wall_ns_ = clocks_.wall();
  return false;
}

StepTimes StepClock::times() const {
  StepTimes out = times_;
  if (out.kernel.empty()) out.no_kernel_times = clocks_.no_kernel_times;
  return out;
}

}  // namespace retrial::determinism::inline price
