#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/profiler/overhead/calibration.hpp"

namespace retrial::profiler::inline overhead {

/// Events of one kind, and what each costs.
struct Charge {
  std::uint64_t events = 0;
  double cost_ns = 0, standard_error_ns = 0;
};
struct CorrectedTime {
  double ns = 0, variance = 0;

  [[nodiscard]] double standard_error() const;
};
/// The time of a region without what is charged. `variance`: of `full_ns`, a mean over runs. `measured_ns`: overhead
/// that was measured directly.
[[nodiscard]] CorrectedTime corrected_time(double full_ns, double variance, std::span<const Charge> charges,
                                           double measured_ns = 0);
/// The charges of a run: its events of each kind, at the estimated costs. A kind without estimate charges nothing.
[[nodiscard]] std::vector<Charge> charges_of(const std::map<std::string, std::uint64_t>& events,
                                             const std::vector<CostEstimate>& estimates);

/// One measured pair: the same work with everything recorded and with nothing.
struct ProfiledPair {
  double off_ns = 0, full_ns = 0, measured_ns = 0;
  std::map<std::string, std::uint64_t> events;  ///< by kind of cost
  std::uint64_t dropped = 0;
  bool same_digests = true;
};

struct Validation {
  std::vector<double> slow_downs;             ///< full / off of each pair
  std::vector<double> biases;                 ///< % of each pair, corrected against off
  double slow_down = 0, bias = 0;             ///< means
  std::optional<CostInterval> bias_interval;  ///< 95 %; none for one pair or one block
  bool valid = false;
  std::vector<std::string> reasons;  ///< why not
  bool digests_differ = false;       ///< nothing else is wrong with it where this is the one reason
};
/// The interval draws calibration blocks and measured pairs again, independently of each other. Costs that were not
/// detectable are charged as 0, and their variance is kept. InvalidInput without pairs or for a time that is not above
/// 0.
[[nodiscard]] Validation validate(std::span<const ProfiledPair> pairs, const std::vector<CostEstimate>& estimates,
                                  double tolerance_percent, std::uint64_t root);

/// Whether the correction brings the time within the tolerance, by the interval of the bias: HOLDS where all of it is
/// inside, REFUTED where all is outside, else INCONCLUSIVE; also without an interval.
[[nodiscard]] std::string_view correction_verdict(const Validation& validation, double tolerance_percent);

}  // namespace retrial::profiler::inline overhead
