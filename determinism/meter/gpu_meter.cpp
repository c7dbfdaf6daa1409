#include "determinism/meter/gpu_meter.hpp"

#include <algorithm>

#include "results/json/json.hpp"

namespace retrial::determinism::inline meter {
namespace {

constexpr double shortest_s = 1, most_w = 10'000, joules_per_mj = 1e-3;

template <typename T>
Json metric(const Reading<T>& reading) {
  return reading.value ? Json{{"value", *reading.value}} : Json{{"value", nullptr}, {"reason", reading.reason}};
}

template <typename T>
void keep(const Reading<T>& reading, std::vector<T>& values, std::string& reason) {
  if (reading.value)
    values.push_back(*reading.value);
  else
    reason = reading.reason;
}

/// The upper one of two: a sample, not a mean that no sample was.
Reading<double> median_of(std::vector<double> values, const std::string& reason) {
  if (values.empty()) return Reading<double>::none(reason);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return Reading<double>::of(*middle);
}

Reading<double> sampled_joules(const std::vector<double>& watts, const std::string& reason, double seconds) {
  if (watts.empty()) return Reading<double>::none(reason);
  double sum = 0;
  for (const double power : watts) sum += power;
  return Reading<double>::of(sum / static_cast<double>(watts.size()) * seconds);
}

}  // namespace

Reading<double> joules_between(const Reading<std::uint64_t>& before, const Reading<std::uint64_t>& after,
                               double seconds) {
  if (!before.value || !after.value) return Reading<double>::none("no_counter");
  if (seconds < shortest_s) return Reading<double>::none("too_short");
  const double joules = static_cast<double>(*after.value - *before.value) * joules_per_mj;
  if (joules > most_w * seconds) return Reading<double>::none("counter_reset");
  return Reading<double>::of(joules);
}

GpuMeter::GpuMeter(const Card& card) : card_(card), energy_(card.energy_mj()) {
  sample();
  shared_ = others_ > 0;
}

void GpuMeter::sample() {
  keep(card_.power_w(), power_w_, power_reason_);
  keep(card_.sm_clock_mhz(), clock_mhz_, clock_reason_);
  if (const auto throttled = card_.throttled(); !throttled.value)
    throttled_reason_ = throttled.reason;
  else if (*throttled.value != "none")
    throttled_ = *throttled.value;
  if (const auto neighbours = card_.neighbours(); neighbours.value)
    others_ = std::max(others_, neighbours.value->count);
  else
    neighbours_reason_ = neighbours.reason;
}

Json GpuMeter::metrics(double seconds) {
  const auto energy = card_.energy_mj();
  sample();
  if (const auto neighbours = card_.neighbours(); neighbours.value) shared_ = shared_ || neighbours.value->count > 0;
  const auto throttled =
      throttled_reason_.empty() ? Reading<std::string>::of(throttled_) : Reading<std::string>::none(throttled_reason_);
  const auto others = neighbours_reason_.empty() ? Reading<int>::of(others_) : Reading<int>::none(neighbours_reason_);
  return {{"gpu_energy_j", metric(joules_between(energy_, energy, seconds))},
          {"sampled_energy_j", metric(sampled_joules(power_w_, power_reason_, seconds))},
          {"sm_clock_mhz", metric(median_of(clock_mhz_, clock_reason_))},
          {"throttled", metric(throttled)},
          {"other_programs", metric(others)}};
}

}  // namespace retrial::determinism::inline meter
