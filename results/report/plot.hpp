#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// What a figure shows, as plain numbers and labels. Nothing here knows how it is drawn.
namespace retrial::report {

/// Okabe and Ito 2008: told apart with every common colour vision. Those with less than 3:1 on white are left out.
enum class Colour { black, grey, blue, vermillion, green };
enum class Shape { circle, triangle, square, diamond };
enum class Dash { solid, dashed, dotted };
enum class Draw {
  points,   ///< a symbol at each (x, y)
  lines,    ///< one line through all points
  steps,    ///< horizontal first, as a distribution function
  band,     ///< the area between low and high along x
  interval  ///< a symbol at (x, y) and a bar from low to high along x
};

struct Point {
  double x = 0, y = 0;
  double low = 0, high = 0;  ///< of band (along y) and interval (along x)
};

/// What is drawn in one way. The colour never stands alone: shape or dash says the same.
struct Series {
  std::string label;  ///< in the key; empty: not there
  Draw draw = Draw::points;
  Colour colour = Colour::black;
  Shape shape = Shape::circle;
  Dash dash = Dash::solid;
  double width = 1;
  bool faint = false;         ///< one of many lines of which none is read by itself
  std::vector<Point> points;  ///< of lines: one whose x is not a number lifts the pen
};

struct Tic {
  double at = 0;
  std::string label;
};

struct Axis {
  std::string label;
  double low = 0, high = 1;  ///< low < high, finite
  std::vector<Tic> tics;     ///< empty: numbers at round places
  bool whole = false;        ///< pairs, epochs: no round place between two whole numbers
};

struct Plot {
  Axis x, y;
  std::vector<Series> series;
  int height = 360;  ///< pixels, of 720 in width; a little more with a long key or title
};

/// Symbols and lines that a figure may hold; above it the data are aggregated, and the figure says how.
constexpr std::size_t most_marks = 2000;

}  // namespace retrial::report
