#include "workloads/profiler/rules/health_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace retrial::profiler::inline rules {
namespace {

struct Moments {
  double absolute = 0, mean = 0, variance = 0;
  double zeros = 0;  ///< %
  bool finite = true;
};

Moments moments_of(std::span<const float> values) {
  Moments out;
  const auto count = static_cast<double>(values.size());
  for (const float value : values) {
    out.absolute += std::fabs(value) / count;
    out.mean += value / count;
    out.finite = out.finite && std::isfinite(value);
  }
  for (const float value : values) out.variance += (value - out.mean) * (value - out.mean) / count;
  out.zeros = 100 * static_cast<double>(std::ranges::count(values, 0.0F)) / count;
  return out;
}

/// From the 5th to the 95th percentile, each the element of nearest rank.
double spread_of(std::span<const float> values) {
  std::vector<float> sorted(values.begin(), values.end());
  if (!std::ranges::all_of(sorted, [](float value) { return std::isfinite(value); })) return std::nan("");
  const auto rank = [&](double share) {
    const auto at =
        sorted.begin() + static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(sorted.size()))) - 1;
    std::nth_element(sorted.begin(), at, sorted.end());
    return static_cast<double>(*at);
  };
  return rank(.95) - rank(.05);
}

double mean_distance(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::fabs(static_cast<double>(a[i]) - b[i]);
  return sum / static_cast<double>(a.size());
}

bool is_close(std::span<const float> a, std::span<const float> b) {
  return std::ranges::equal(
      a, b, [](double x, double y) { return std::fabs(x - y) <= 1e-8 + 1e-5 * std::fabs(y); });  // NaN is close to none
}

}  // namespace

HealthWatch::HealthWatch(std::int64_t every) : every_(every) {
  detail::watch = this;
  arm(1);
}

HealthWatch::~HealthWatch() {
  detail::watch = nullptr;
  detail::armed_watch = nullptr;
}

void HealthWatch::arm(std::int64_t next) {
  detail::armed_watch = next % every_ == 0 ? this : nullptr;
}

void HealthWatch::updating(const std::string& tensor, std::span<const float> weights) {
  before_[tensor].assign(weights.begin(), weights.end());
}

void HealthWatch::updated(const std::string& tensor, std::span<const float> gradient, std::span<const float> weights) {
  constexpr std::size_t spreads = 10;  // captures in which a rule asks for it: it sorts
  if (weights.empty()) return;
  const Moments slopes = moments_of(gradient), now = moments_of(weights);
  std::vector<float>& last = last_[tensor];
  now_.tensors.push_back({.name = tensor,
                          .mean_gradient = slopes.absolute,
                          .mean_weight = now.absolute,
                          .mean_update = mean_distance(weights, before_[tensor]),
                          .variance = now.variance,
                          .gradient_spread = captures_.steps.size() < spreads ? spread_of(gradient) : 0,
                          .zero_weights = now.zeros,
                          .zero_gradients = slopes.zeros,
                          .finite = slopes.finite && now.finite,
                          .as_before = is_close(weights, last)});
  last.assign(weights.begin(), weights.end());
}

void HealthWatch::activated(const std::string& layer, Activation kind, std::span<const float> inputs,
                            std::size_t units) {
  constexpr float beyond = 9.4999F;
  constexpr double least_share = .01;
  const std::size_t rows = inputs.size() / units;
  std::vector<std::size_t> works(units);
  for (std::size_t i = 0; i < rows * units; ++i)
    works[i % units] += kind == Activation::relu ? inputs[i] > 0 : std::fabs(inputs[i]) <= beyond;
  const auto idle = std::ranges::count_if(
      works, [&](std::size_t count) { return static_cast<double>(count) < least_share * static_cast<double>(rows); });
  std::erase_if(now_.layers, [&](const LayerSeen& seen) { return seen.name == layer; });
  now_.layers.push_back(
      {.name = layer, .kind = kind, .idle_units = 100 * static_cast<double>(idle) / static_cast<double>(units)});
}

void HealthWatch::made(std::int64_t step, double loss) {
  if (step % every_ == 0) {
    const auto time = std::chrono::steady_clock::now();
    now_.step = step;
    now_.loss = loss;
    now_.seconds_since_last = std::chrono::duration<double>(time - captured_).count();
    captured_ = time;
    captures_.steps.push_back(std::exchange(now_, {}));
  }
  steps_made_ = step;
  arm(step + 1);
}

void gradient_step_made(std::int64_t step, double loss) {
  if (HealthWatch* watch = detail::watch.load(std::memory_order_relaxed); watch != nullptr) [[unlikely]]
    watch->made(step, loss);
}

void epoch_evaluated(double training_loss, double validation_loss) {
  if (HealthWatch* watch = detail::watch.load(std::memory_order_relaxed); watch != nullptr) [[unlikely]]
    watch->captures_.epochs.push_back({watch->steps_made_, training_loss, validation_loss});
}

}  // namespace retrial::profiler::inline rules
