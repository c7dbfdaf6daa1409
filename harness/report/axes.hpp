#pragma once

#include <span>
#include <string>

#include "results/report/plot.hpp"

/// Axes and reference lines of the figures of a report.
namespace retrial::harness {

/// An axis over all values with 5 % of room at both ends; 0 to 1 when there is none.
[[nodiscard]] report::Axis axis_over(std::string label, std::span<const double> values);

/// A grey line at `at` over the whole height of a figure: what the points are held against.
[[nodiscard]] report::Series vertical(std::string label, double at, const report::Axis& y, report::Dash dash);

}  // namespace retrial::harness
