#pragma once

#include <span>
#include <vector>

#include "workloads/profiler/timeline/timeline.hpp"

namespace retrial::profiler::inline overlap {

struct OperationSegment : Interval {
  NameId operation = no_name;
};
struct LayerSegment : Interval {
  Category layer = Category::app;
};

/// The time of one thread inside the regions: the innermost operation, and exactly one layer at each instant. The
/// thread that opened a region has all of it, another one the time from its first to its last event.
struct ThreadTime {
  std::uint32_t lane = 0;
  std::vector<OperationSegment> operations;  ///< disjoint, in order; gaps where it has none of its own
  std::vector<OperationSegment> works_for;   ///< gaps filled with the operation of the one thread that has one then
  std::vector<LayerSegment> layers;          ///< a partition of its time; neighbors differ

  /// The operation at an instant; no_name for none.
  [[nodiscard]] NameId operation_at(std::int64_t t) const;
};

[[nodiscard]] std::vector<ThreadTime> thread_times(const Timeline& timeline);

/// The segment that holds `t`, or null.
template <typename Segments>
[[nodiscard]] const typename Segments::value_type* segment_at(const Segments& segments, std::int64_t t);

}  // namespace retrial::profiler::inline overlap

#include <algorithm>

namespace retrial::profiler::inline overlap {
template <typename Segments>
const typename Segments::value_type* segment_at(const Segments& segments, std::int64_t t) {
  auto after = std::ranges::upper_bound(segments, t, {}, [](const auto& s) { return s.start; });
  if (after == segments.begin()) return nullptr;
  --after;
  return t < after->end ? &*after : nullptr;
}
}  // namespace retrial::profiler::inline overlap
