#pragma once

#include <optional>
#include <span>
#include <string>

#include "results/json.hpp"
#include "results/report/plot.hpp"
#include "variance/estimate.hpp"

/// Numbers as the sections of a report write and draw them.
namespace retrial::harness {

/// Derived: 10 significant digits, null where there is none.
[[nodiscard]] Json derived(const std::optional<double>& value);
/// As stored; null where there is none or it is not finite.
[[nodiscard]] Json raw(const std::optional<double>& value);

[[nodiscard]] std::string or_dash(const std::optional<double>& value);
/// "+1.669", "-0.5", "0".
[[nodiscard]] std::string signed_text(double value);
/// "[0.7513, 0.9987]", or "none".
[[nodiscard]] std::string interval_text(const variance::Estimate& estimate);
/// "accuracy (%)".
[[nodiscard]] std::string with_unit(const std::string& metric, const std::string& unit);

/// An axis over all values with 5 % of room at both ends; 0 to 1 when there is none.
[[nodiscard]] report::Axis axis_over(std::string label, std::span<const double> values);

/// A grey line at `at` over the whole height of a figure: what the points are held against.
[[nodiscard]] report::Series vertical(std::string label, double at, const report::Axis& y, report::Dash dash);

}  // namespace retrial::harness
