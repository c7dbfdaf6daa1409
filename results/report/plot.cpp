#include "results/report/plot.hpp"

#include <algorithm>
#include <cmath>

namespace retrial::report {

std::size_t marks_of(const Plot& plot) {
  std::size_t out = 0;
  for (const auto& series : plot.series) {
    const auto lifts = std::count_if(series.points.begin(), series.points.end(),
                                     [](const Point& point) { return !std::isfinite(point.x); });
    const bool each = series.draw == Draw::points || series.draw == Draw::interval;
    out += each ? series.points.size() : 1 + static_cast<std::size_t>(lifts);
  }
  return out;
}

}  // namespace retrial::report
