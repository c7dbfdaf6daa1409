#include "results/report/drawing/marks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace retrial::report::inline drawing {
namespace {

/// In the order of Dash.
constexpr std::array<const char*, 3> dashes{"", " stroke-dasharray=\"8 4\"", " stroke-dasharray=\"2 3\""};

std::string path(const std::string& attributes, const std::string& d) {
  return d.empty() ? "" : "<path " + attributes + " d=\"" + d + "\"/>";
}

std::string stroke(const Series& series) {
  const std::string width = pixels(series.width);
  return "stroke=\"currentColor\" stroke-width=\"" + width + "\"" + (series.faint ? " stroke-opacity=\".35\"" : "") +
         dashes.at(static_cast<std::size_t>(series.dash));
}

// ---- symbols ----

double radius_of(std::size_t symbols) {
  return symbols <= 100 ? 4.5 : symbols <= 400 ? 3.2 : 2;
}

/// Around (x, y), of about the same area in every shape.
std::string symbol(Shape shape, double x, double y, double r) {
  const double s = 0.9 * r, t = 1.25 * r;  // squares; corners
  switch (shape) {
    case Shape::circle:
      return command('M', {x - r, y}) + command('a', {r, r, 0, 1, 0, 2 * r, 0}) +
             command('a', {r, r, 0, 1, 0, -2 * r, 0}) + "z";
    case Shape::triangle:
      return command('M', {x, y - t}) + command('l', {1.2 * r, 2.1 * r, -2.4 * r, 0}) + "z";
    case Shape::square:
      return command('M', {x - s, y - s}) + command('l', {2 * s, 0, 0, 2 * s, -2 * s, 0}) + "z";
    case Shape::diamond:
      return command('M', {x, y - t}) + command('l', {t, t, -t, t, -t, -t}) + "z";
  }
  return "";
}

/// A rim in the color of the paper separates overlapping symbols.
std::string symbols_svg(const std::string& d) {
  return path("class=\"rim\" fill=\"currentColor\" stroke=\"#ffffff\" stroke-width=\".7\"", d);
}

bool shown(const Point& point, const Frame& frame) {
  return frame.x.holds(point.x) && frame.y.holds(point.y);
}

std::string symbols_of(const Series& series, const Frame& frame) {
  std::string d;
  for (const auto& p : series.points)
    if (shown(p, frame)) d += symbol(series.shape, frame.x.at(p.x), frame.y.at(p.y), radius_of(series.points.size()));
  return symbols_svg(d);
}

// ---- lines and areas ----

std::string line_of(const Series& series, const Frame& frame) {
  std::string d;
  bool down = false;
  for (const auto& p : series.points) {
    if (!std::isfinite(p.x)) down = false;
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
    d += command(down ? ' ' : 'M', {frame.x.at(p.x), frame.y.at(p.y)});
    down = true;
  }
  return path(stroke(series), d);
}

std::string steps_of(const Series& series, const Frame& frame) {
  std::string d;
  for (const auto& p : series.points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
    const double x = frame.x.at(p.x), y = frame.y.at(p.y);
    d += d.empty() ? command('M', {x, y}) : command('H', {x}) + command('V', {y});
  }
  return path(stroke(series), d);
}

std::string band_of(const Series& series, const Frame& frame) {
  std::string above, below;
  for (const auto& p : series.points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.low) || !std::isfinite(p.high)) continue;
    above += command(above.empty() ? 'M' : ' ', {frame.x.at(p.x), frame.y.at(p.high)});
    below.insert(0, command(' ', {frame.x.at(p.x), frame.y.at(p.low)}));
  }
  return path("fill=\"currentColor\" fill-opacity=\".18\"", above.empty() ? "" : above + below + "z");
}

/// A bar ends in a cap, or in an arrow where it continues beyond the axis.
std::string bar_end(double x, double y, double outward, bool cut) {
  constexpr double half = 4.5;
  if (!cut) return command('M', {x, y - half}) + command('v', {2 * half});
  const double back = x - outward * half;
  return command('M', {back, y - half, x, y, back, y + half});
}

/// A bar altogether beyond the axis: an arrow at its edge.
std::string arrow_at_edge(double x, double y, double outward) {
  constexpr double length = 16;
  return command('M', {x - outward * length, y}) + command('H', {x}) + bar_end(x, y, outward, true);
}

std::string bars_of(const Series& series, const Frame& frame) {
  std::string d;
  for (const auto& p : series.points) {
    if (frame.y.holds(p.y) && p.low > frame.x.high) d += arrow_at_edge(frame.x.to, frame.y.at(p.y), 1);
    if (frame.y.holds(p.y) && p.high < frame.x.low) d += arrow_at_edge(frame.x.from, frame.y.at(p.y), -1);
    const double low = std::max(p.low, frame.x.low), high = std::min(p.high, frame.x.high);
    if (!frame.y.holds(p.y) || !(low <= high)) continue;
    const double y = frame.y.at(p.y), left = frame.x.at(low), right = frame.x.at(high);
    d += command('M', {left, y}) + command('H', {right}) + bar_end(left, y, -1, low > p.low) +
         bar_end(right, y, 1, high < p.high);
  }
  return path(stroke(series), d);
}

}  // namespace

std::string pixels(double value) {
  constexpr double far = 1e6;  // limit of coordinates outside the figure
  std::array<char, 32> text{};
  const double tenths = std::round(10 * std::clamp(value, -far, far)) / 10;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), tenths == 0 ? 0.0 : tenths, std::chars_format::fixed);
  return {text.data(), end.ptr};
}

std::string command(char letter, std::initializer_list<double> numbers) {
  std::string out(1, letter);
  for (const double number : numbers) {
    if (out.size() > 1) out += ' ';
    out += pixels(number);
  }
  return out;
}

bool on_scale(const Series& series, const Frame& frame) {
  return std::any_of(series.points.begin(), series.points.end(), [&](const Point& p) {
    if (series.draw == Draw::band) return frame.x.holds(p.x) && p.high >= frame.y.low && p.low <= frame.y.high;
    if (series.draw == Draw::interval) return p.low <= p.high && frame.y.holds(p.y);
    return shown(p, frame);
  });
}

std::string marks_svg(const Series& series, const Frame& frame) {
  switch (series.draw) {
    case Draw::points:
      return symbols_of(series, frame);
    case Draw::lines:
      return line_of(series, frame);
    case Draw::steps:
      return steps_of(series, frame);
    case Draw::band:
      return band_of(series, frame);
    case Draw::interval:
      return bars_of(series, frame) + symbols_of(series, frame);
  }
  return "";
}

bool has_symbols(const Series& series) {
  return series.draw == Draw::points || series.draw == Draw::interval;
}

std::string sample_svg(const Series& series, double x, double y) {
  const Frame frame{.x = {.low = 0, .high = 24, .from = x, .to = x + 24},
                    .y = {.low = -6, .high = 6, .from = y + 6, .to = y - 6}};
  Series sample = series;
  sample.points = {{.x = 0, .low = -6, .high = 6}, {.x = 24, .low = -6, .high = 6}};
  if (has_symbols(series)) sample.points = {{.x = 12, .low = 0, .high = 24}};
  return marks_svg(sample, frame);
}

}  // namespace retrial::report::inline drawing
