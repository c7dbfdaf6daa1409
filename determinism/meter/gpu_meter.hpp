#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "determinism/meter/card.hpp"
#include "results/json/json_fwd.hpp"

namespace retrial::determinism::inline meter {

/// Joules between two readings of a counter of millijoules, modulo 2^64. Missing below one second (too_short), without
/// a counter (no_counter), and where no card draws so much (counter_reset: the driver was loaded again).
[[nodiscard]] Reading<double> joules_between(const Reading<std::uint64_t>& before, const Reading<std::uint64_t>& after,
                                             double seconds);

/// What a card did between two moments. The caller takes samples with sample(), ten times a second for a trial:
/// they check the counter, and are no substitute for it (they cover a quarter of the time on some cards).
class GpuMeter {
 public:
  explicit GpuMeter(const Card& card);
  void sample();
  /// The metrics of a trial that took that long; each {"value": V} or {"value": null, "reason": TEXT}: gpu_energy_j,
  /// sampled_energy_j, sm_clock_mhz (median), throttled, other_programs (the most at any sample).
  [[nodiscard]] Json metrics(double seconds);
  /// True if a program other than ours computed on the card at the beginning or the end.
  [[nodiscard]] bool shared() const { return shared_; }

 private:
  const Card& card_;
  Reading<std::uint64_t> energy_;
  std::vector<double> power_w_, clock_mhz_;
  std::string power_reason_, clock_reason_, throttled_ = "none", throttled_reason_, neighbours_reason_;
  int others_ = 0;
  bool shared_ = false;
};

}  // namespace retrial::determinism::inline meter
