#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// What one event of bookkeeping costs, from runs with and without it in the same block.
namespace retrial::profiler::inline overhead {

enum class CostStatus {
  estimated,
  no_events,       ///< nothing of this kind happened: 0
  not_observed,    ///< a call that is missing in a run of some block: 0
  not_detectable,  ///< the interval covers 0, or the mean is not above it: 0, its variance is kept
  no_interval,     ///< one block
};
[[nodiscard]] std::string name_of(CostStatus status);

struct CostInterval {
  double low = 0, high = 0;
};

/// All in nanoseconds an event.
struct CostEstimate {
  std::string kind;  ///< "annotation", "hook:Backend", "api", "cupti:cudaLaunchKernel"
  CostStatus status = CostStatus::no_events;
  double cost = 0;  ///< that is charged: never negative
  double mean = 0;  ///< as measured
  std::optional<double> sd, standard_error;
  std::optional<CostInterval> student, bootstrap;
  std::vector<double> blocks;

  /// The wider of the two, which decides.
  [[nodiscard]] std::optional<CostInterval> interval() const;
};

/// One block: time of the region with the bookkeeping and without it, and how often it happened.
struct OnOff {
  double on_ns = 0, off_ns = 0;
  std::uint64_t events = 0;
};
/// Mean over blocks of (on - off) / events. `root`: root seed of the study, for the bootstrap. InvalidInput for a time
/// that is negative or not a number, naming block and configuration.
[[nodiscard]] CostEstimate calibrate_difference(const std::string& kind, std::span<const OnOff> blocks,
                                                std::uint64_t root);

struct CallTime {
  std::uint64_t calls = 0;
  double total_ns = 0;
};
/// One block: the calls of one name with activity tracing and without it.
struct CallTimes {
  CallTime traced, plain;
};
/// Mean over blocks of the difference of the average durations.
[[nodiscard]] CostEstimate calibrate_call(const std::string& kind, std::span<const CallTimes> blocks,
                                          std::uint64_t root);

}  // namespace retrial::profiler::inline overhead
