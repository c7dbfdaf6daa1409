#pragma once

#include <cstdint>
#include <vector>

#include "workloads/profiler/timeline/timeline.hpp"

namespace retrial::profiler::inline analysis {

/// The time of the regions from the point of view of the GPU.
struct Breakdown {
  std::uint64_t span = 0, busy = 0, compute = 0;
  std::uint64_t communication = 0, hidden_communication = 0;  ///< hidden: while computing

  [[nodiscard]] std::uint64_t idle() const { return span - busy; }
  [[nodiscard]] std::uint64_t non_compute() const { return busy - compute; }
};
[[nodiscard]] Breakdown gpu_breakdown(const Timeline& timeline);

/// Why a stream did nothing between two of its intervals.
struct IdleCauses {
  std::uint32_t lane = 0;
  std::uint64_t host_wait = 0;    ///< the next launch was issued after the last one had ended
  std::uint64_t kernel_wait = 0;  ///< a gap below the threshold, between one kernel and the next
  std::uint64_t other = 0;
};
[[nodiscard]] std::vector<IdleCauses> idle_causes(const Timeline& timeline, std::int64_t kernel_gap_ns = 30);

}  // namespace retrial::profiler::inline analysis
