#pragma once

#include <string>
#include <vector>

#include "results/report/drawing/marks.hpp"

/// Positions of all parts of a figure, in pixels.
namespace retrial::report::inline drawing {

enum class Anchor { start, middle, end };

struct Label {
  double x = 0, y = 0;  ///< the middle of the line; the anchor defines the meaning of x
  Anchor anchor = Anchor::start;
  bool of_tick = false;
  std::string text;
};

/// The sample of a series in the key: left end and middle.
struct Sample {
  std::size_t series = 0;
  double x = 0, y = 0;
};

struct Layout {
  double width = 0, height = 0;
  Frame frame;
  std::vector<Tic> x_tics, y_tics;
  std::vector<Sample> samples;
  std::vector<Label> labels;  ///< ticks, axes and the key
};

/// From top to bottom: key, title of the y axis, frame, numbers and title of the x axis.
[[nodiscard]] Layout layout_of(const Plot& plot, double width);

}  // namespace retrial::report::inline drawing
