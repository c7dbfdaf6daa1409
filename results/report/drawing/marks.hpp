#pragma once

#include <initializer_list>
#include <string>

#include "results/report/drawing/scale.hpp"

/// A series as SVG paths in the pixels of a figure. All paint is currentColor: the enclosing element sets the color.
namespace retrial::report::inline drawing {

struct Frame {
  Scale x, y;
};

/// A coordinate with one decimal: "12.3", "7".
[[nodiscard]] std::string pixels(double value);

/// A command of a path: "M12.3 7", "H40".
[[nodiscard]] std::string command(char letter, std::initializer_list<double> numbers);

/// Whether the frame shows any point of the series. It shows every interval: one beyond the axis as an arrow at the
/// edge.
[[nodiscard]] bool on_scale(const Series& series, const Frame& frame);

/// Symbols at the edge of the frame are drawn whole; lines and areas are clipped.
[[nodiscard]] bool has_symbols(const Series& series);

[[nodiscard]] std::string marks_svg(const Series& series, const Frame& frame);

/// The sample of the series in the key, 24 pixels wide, centered at (x + 12, y).
[[nodiscard]] std::string sample_svg(const Series& series, double x, double y);

}  // namespace retrial::report::inline drawing
