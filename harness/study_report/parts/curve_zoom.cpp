#include "harness/study_report/parts/curve_zoom.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace retrial::harness::inline study_report::inline parts {
namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  [[nodiscard]] double length() const { return high - low; }
};

/// Range of the bands from this step on.
Range range_from(std::span<const CurveStep> steps, std::int64_t from) {
  Range out;
  for (const auto& s : steps)
    if (s.step >= from) out = {.low = std::min(out.low, s.low), .high = std::max(out.high, s.high)};
  return out;
}

}  // namespace

std::optional<CurveZoom> curve_zoom(std::span<const CurveStep> steps) {
  constexpr double max_share_of_axis = 0.6;
  constexpr std::size_t fewest = 4;
  std::set<std::int64_t> places;
  for (const auto& s : steps) places.insert(s.step);
  if (places.size() < fewest) return {};
  const std::int64_t first = *places.begin(), last = *places.rbegin();
  const std::int64_t from = *places.lower_bound(first + (last - first + 1) / 2);
  const Range all = range_from(steps, first), late = range_from(steps, from);
  if (late.length() >= max_share_of_axis * all.length()) return {};
  return CurveZoom{.from = from, .low = late.low, .high = late.high, .least = all.low, .most = all.high};
}

}  // namespace retrial::harness::inline study_report::inline parts
