#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/profiler/overlap/threads.hpp"

namespace retrial::profiler::inline overlap {

/// Which call of a CPU launched what a GPU did, by correlation id.
class Launches {
 public:
  explicit Launches(const Timeline& timeline);
  /// Null where no call has this id.
  [[nodiscard]] const Span* call_of(const Span& gpu) const;

 private:
  std::unordered_map<std::uint64_t, const Span*> calls_;
};

/// Busy time of a GPU of each operation. Its launches are asynchronous, so the two differ.
struct GpuTime {
  std::uint64_t by_overlap = 0;      ///< busy while the operation was active on a CPU
  std::uint64_t by_correlation = 0;  ///< busy with what the operation launched

  bool operator==(const GpuTime&) const = default;
  /// A difference above 5 % of the larger one.
  [[nodiscard]] bool asynchronous() const;
};
[[nodiscard]] std::map<std::string, GpuTime> gpu_by_operation(const Timeline& timeline,
                                                              const std::vector<ThreadTime>& threads);

/// Share of the regions in which a kernel ran, 0 to 1.
[[nodiscard]] double true_busy(const std::vector<Interval>& kernels, const std::vector<Interval>& regions);
/// Share of sample periods in which a kernel ran at any time: what nvidia-smi shows. The last period of a region may be
/// shorter. Error{usage} unless period_ns > 0.
[[nodiscard]] double sampled_utilization(const std::vector<Interval>& kernels, const std::vector<Interval>& regions,
                                         std::int64_t period_ns);
inline constexpr std::int64_t usual_period_ns = 166'666'667;

[[nodiscard]] std::vector<Interval> kernels_of(const Timeline& timeline);
[[nodiscard]] std::vector<Interval> intervals_of(const std::vector<Region>& regions);

}  // namespace retrial::profiler::inline overlap
