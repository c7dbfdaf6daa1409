#include "results/report/drawing/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/number_text.hpp"

namespace retrial::report::inline drawing {

std::string short_text(double value, int digits) {
  if (!std::isfinite(value)) return results::text_of(value);
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits);
  return {buffer.data(), end.ptr};
}

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

std::string percent(double share) {
  return std::isfinite(share) ? variance::percent(share) : short_text(share) + " %";
}

std::string plural(const std::string& noun) {
  return noun + (noun.ends_with('s') || noun.ends_with("ch") ? "es" : "s");
}

std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + (count == 1 ? noun : plural(noun));
}

std::string interval_text(const variance::Estimate& estimate) {
  if (!estimate.low || !estimate.high) return "none";
  return "[" + short_text(*estimate.low) + ", " + short_text(*estimate.high) + "]";
}

std::string with_unit(const std::string& metric, const std::string& unit) {
  return unit.empty() ? metric : metric + " (" + unit + ")";
}

Axis axis_over(std::string label, std::span<const double> values) {
  constexpr double room = 0.05;
  if (values.empty()) return {.label = std::move(label), .low = 0, .high = 1, .tics = {}};
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const double spread = *greatest - *least;
  const double pad = spread > 0 ? room * spread : std::max(std::fabs(*least) * room, room);
  return {.label = std::move(label), .low = *least - pad, .high = *greatest + pad, .tics = {}};
}

Series vertical(std::string label, double at, const Axis& y, Dash dash) {
  return {.label = std::move(label),
          .draw = Draw::lines,
          .colour = Colour::grey,
          .dash = dash,
          .width = 1.5,
          .points = {{.x = at, .y = y.low}, {.x = at, .y = y.high}}};
}

}  // namespace retrial::report::inline drawing
