#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "workloads/profiler/timeline/timeline.hpp"

namespace retrial::profiler::inline overlap {

/// A stretch of time in which interval number `source` is the innermost.
struct Segment : Interval {
  std::size_t source = 0;

  bool operator==(const Segment&) const = default;
};

/// Disjoint segments in order, so that at each instant the innermost interval has the time. `intervals` in the order of
/// opening. Of two that end together the later started is inner, of identical ones the later opened; the same rule
/// reads intervals that do not nest. O(n log n).
[[nodiscard]] std::vector<Segment> flatten(std::span<const Interval> intervals);

}  // namespace retrial::profiler::inline overlap
