#include "harness/report/numbers.hpp"

#include <algorithm>
#include <cmath>

#include "harness/output.hpp"
#include "results/text.hpp"

namespace retrial::harness {

Json derived(const std::optional<double>& value) {
  return value ? Json(results::rounded10(*value)) : Json();
}

Json raw(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

std::string or_dash(const std::optional<double>& value) {
  return value ? short_text(*value) : "-";
}

std::string signed_text(double value) {
  return (value > 0 ? "+" : "") + short_text(value);
}

std::string interval_text(const variance::Estimate& estimate) {
  if (!estimate.low || !estimate.high) return "none";
  return "[" + short_text(*estimate.low) + ", " + short_text(*estimate.high) + "]";
}

std::string with_unit(const std::string& metric, const std::string& unit) {
  return unit.empty() ? metric : metric + " (" + unit + ")";
}

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
