#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "workloads/profiler/timeline/timeline.hpp"

namespace retrial::profiler::inline analysis {

/// Launches of one name of call, matched with what they launched by correlation id. Times are sums in ns.
struct LaunchStatistics {
  std::uint64_t launches = 0;
  std::uint64_t call_ns = 0, work_ns = 0;
  std::int64_t delay_ns = 0;     ///< from the end of the call to the begin of the work: below 0 where it began before
  std::uint64_t short_work = 0;  ///< shorter than its own launch call
  std::uint64_t slow_calls = 0, slow_starts = 0;  ///< calls above 50 us, delays above 100 us
};
[[nodiscard]] std::map<std::string, LaunchStatistics> launch_statistics(const Timeline& timeline);

/// Most launches at once that a stream had not finished, by lane. From 1024 on, the driver blocks the CPU.
inline constexpr std::uint64_t blocking_queue = 1024;
[[nodiscard]] std::map<std::uint32_t, std::uint64_t> longest_queues(const Timeline& timeline);

}  // namespace retrial::profiler::inline analysis
