#pragma once

#include "harness/gate/gate.hpp"

namespace retrial::harness::inline gate::inline calibration {

/// Processes of one and the same program, benchmark by benchmark: every value of a claim's baseline, in time order.
/// `pairs` of them a side make one null suite, so that a block is 2 `pairs` successive processes.
struct Calibration {
  std::int64_t blocks = 0, assignments = 1;
  std::vector<std::int64_t> alarms;             ///< per block: assignments with any claim regressed
  std::int64_t improved = 0, inconclusive = 0;  ///< suites with such a claim, over all blocks and assignments
  struct Claim {
    std::string workload, metric;
    std::int64_t alarms = 0, inconclusive = 0;
    std::optional<double> sigma,
        autocorrelation;  ///< spread and lag 1 of the values, as shares where ratios are judged
  };
  std::vector<Claim> claims;

  [[nodiscard]] std::int64_t suites() const { return blocks * assignments; }
  [[nodiscard]] std::int64_t alarm_count() const;
  /// Share of suites with an alarm, its 95 % bounds, one-sided each: Clopper and Pearson for one assignment, else a
  /// bootstrap of blocks.
  struct Rate {
    double rate = 0, low = 0, high = 1;
  };
  [[nodiscard]] Rate rate(std::uint64_t root) const;
};

/// The whole gate on every block: in each pair a coin decides which of two successive processes plays the baseline.
/// `slower` makes every value of the candidate worse by this share: the rate is power then.
[[nodiscard]] Calibration calibrated(const GateSuite& pool, const GateSettings& settings, std::int64_t pairs,
                                     std::int64_t assignments, std::uint64_t root, double slower = 0.0);

/// The whole gate on every block of two sides that were both run: `pairs` successive pairs are a suite. With a
/// candidate that is slower by a known share, the rate is power.
[[nodiscard]] Calibration judged_blocks(const GateSuite& sides, const GateSettings& settings, std::int64_t pairs);

}  // namespace retrial::harness::inline gate::inline calibration
