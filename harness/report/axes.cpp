#include "harness/report/axes.hpp"

#include <algorithm>
#include <cmath>

namespace retrial::harness {

report::Axis axis_over(std::string label, std::span<const double> values) {
  constexpr double room = 0.05;
  if (values.empty()) return {.label = std::move(label), .low = 0, .high = 1, .tics = {}};
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const double spread = *greatest - *least;
  const double pad = spread > 0 ? room * spread : std::max(std::fabs(*least) * room, room);
  return {.label = std::move(label), .low = *least - pad, .high = *greatest + pad, .tics = {}};
}

report::Series vertical(std::string label, double at, const report::Axis& y, report::Dash dash) {
  return {.label = std::move(label),
          .draw = report::Draw::lines,
          .colour = report::Colour::grey,
          .dash = dash,
          .width = 1.5,
          .points = {{.x = at, .y = y.low}, {.x = at, .y = y.high}}};
}

}  // namespace retrial::harness
