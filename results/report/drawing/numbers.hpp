#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "results/json/json_fwd.hpp"
#include "results/report/drawing/plot.hpp"
#include "variance/numbers/estimate.hpp"

/// Numbers for pages, documents and figures.
namespace retrial::report::inline drawing {

/// For people, rounded to `digits` significant digits: "87.42", "0.0207", "-1.5", "1.2e-09".
[[nodiscard]] std::string short_text(double value, int digits = 4);
[[nodiscard]] std::string or_dash(const std::optional<double>& value);
/// "+1.669", "-0.5", "0".
[[nodiscard]] std::string signed_text(double value);
/// A share as "95 %", three significant digits.
[[nodiscard]] std::string percent(double share);
/// "trials", "searches".
[[nodiscard]] std::string plural(const std::string& noun);
/// "1 trial", "3 trials".
[[nodiscard]] std::string counted(std::int64_t count, const std::string& noun);
/// "[0.7513, 0.9987]", or "none".
[[nodiscard]] std::string interval_text(const variance::Estimate& estimate);
/// "accuracy (%)".
[[nodiscard]] std::string with_unit(const std::string& metric, const std::string& unit);

/// A derived number: 10 significant digits; null where absent.
[[nodiscard]] Json derived(const std::optional<double>& value);
/// A stored number; null where absent or not finite.
[[nodiscard]] Json raw(const std::optional<double>& value);

/// An axis over all values with 5 % of room at both ends; 0 to 1 without values.
[[nodiscard]] Axis axis_over(std::string label, std::span<const double> values);

/// A gray line at `at` over the full height of a figure: the reference of the points.
[[nodiscard]] Series vertical(std::string label, double at, const Axis& y, Dash dash);

}  // namespace retrial::report::inline drawing
