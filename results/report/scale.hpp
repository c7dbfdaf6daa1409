#pragma once

#include "results/report/plot.hpp"

namespace retrial::report {

/// Values of an axis to pixels.
struct Scale {
  double low = 0, high = 1;  ///< values, low < high
  double from = 0, to = 1;   ///< their pixels; from > to where values rise upward

  [[nodiscard]] double at(double value) const;
  [[nodiscard]] bool holds(double value) const { return value >= low && value <= high; }
  [[nodiscard]] double length() const { return from < to ? to - from : from - to; }  ///< in pixels
};

/// An axis without extent, or with one that cannot be computed with, is widened until there is room for two ticks.
[[nodiscard]] Scale scale_of(const Axis& axis, double from, double to);

}  // namespace retrial::report
