#pragma once

#include <cstdint>
#include <vector>

#include "results/report/drawing/plot.hpp"

/// From values of an axis to pixels, and its ticks: at multiples of 1, 2 or 5 times a power of ten, as many as their
/// labels leave room for.
namespace retrial::report::inline drawing {

struct Scale {
  double low = 0, high = 1;  ///< values, low < high
  double from = 0, to = 1;   ///< their pixels; from > to where values rise upward

  [[nodiscard]] double at(double value) const;
  [[nodiscard]] bool holds(double value) const { return value >= low && value <= high; }
  [[nodiscard]] double length() const { return from < to ? to - from : from - to; }  ///< in pixels
};

/// Widens an axis without usable extent until it has room for two ticks.
[[nodiscard]] Scale scale_of(const Axis& axis, double from, double to);

struct Step {
  std::int64_t digit = 1;  ///< 1, 2 or 5
  int power = 0;           ///< exponent of ten
};

/// The smallest step of at least `least` > 0.
[[nodiscard]] Step step_of_at_least(double least);

/// Every multiple from low to high. All labels have as many decimals; from ten million on and below a ten-thousandth
/// they share one exponent ("0.5e-6", "1.0e-6").
[[nodiscard]] std::vector<Tic> multiples(const Step& step, double low, double high);

enum class LabelSide { below, left };

/// The ticks of the axis, or round ones, without those whose labels would touch a neighbor or leave 0 to `room`
/// pixels.
[[nodiscard]] std::vector<Tic> ticks_of(const Axis& axis, const Scale& scale, LabelSide side, double room);

}  // namespace retrial::report::inline drawing
