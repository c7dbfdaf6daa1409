#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// The content of a figure as plain numbers and labels, independent of its drawing.
namespace retrial::report::inline drawing {

/// Okabe and Ito 2008: distinct under every common color vision. Colors with less than 3:1 on white are left out.
enum class Colour { black, grey, blue, vermillion, green };
enum class Shape { circle, triangle, square, diamond };
enum class Dash { solid, dashed, dotted };
enum class Draw {
  points,   ///< a symbol at each (x, y)
  lines,    ///< one line through all points
  steps,    ///< horizontal first, like a distribution function
  band,     ///< the area between low and high along x
  interval  ///< a symbol at (x, y) and a bar from low to high along x
};

struct Point {
  double x = 0, y = 0;
  double low = 0, high = 0;  ///< band: along y; interval: along x
};

/// Marks drawn in one style. Color is never the only difference: shape or dash repeats it.
struct Series {
  std::string label;  ///< in the key; empty: not in the key
  Draw draw = Draw::points;
  Colour colour = Colour::black;
  Shape shape = Shape::circle;
  Dash dash = Dash::solid;
  double width = 1;
  bool faint = false;         ///< one of many lines, not read individually
  std::vector<Point> points;  ///< lines: an x that is not a number lifts the pen
};

struct Tic {
  double at = 0;
  std::string label;
};

struct Axis {
  std::string label;
  double low = 0, high = 1;  ///< low < high, finite
  std::vector<Tic> tics;     ///< empty: round numbers
  bool whole = false;        ///< pairs, epochs: whole numbers only
};

struct Plot {
  Axis x, y;
  std::vector<Series> series;
  int height = 360;  ///< pixels at a width of 720; slightly more with a long key or title
};

/// Maximum number of symbols and lines in a figure; more data are aggregated, and the figure says how.
constexpr std::size_t max_marks = 2000;

}  // namespace retrial::report::inline drawing
