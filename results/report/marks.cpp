#include "results/report/marks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace retrial::report {
namespace {

/// In the order of Dash.
constexpr std::array<const char*, 3> dashes{"", " stroke-dasharray=\"8 4\"", " stroke-dasharray=\"2 3\""};

std::string at(double x, double y) {
  return pixels(x) + " " + pixels(y);
}

std::string path(const std::string& attributes, const std::string& d) {
  return d.empty() ? "" : "<path " + attributes + " d=\"" + d + "\"/>";
}

std::string stroke(const Series& series) {
  return "stroke=\"currentColor\" stroke-width=\"" + pixels(series.width) + "\"" +
         (series.faint ? " stroke-opacity=\".35\"" : "") + dashes.at(static_cast<std::size_t>(series.dash));
}

// ---- symbols ----

double radius_of(std::size_t symbols) {
  return symbols <= 100 ? 4.5 : symbols <= 400 ? 3.2 : 2;
}

/// Around (x, y), of about the same area in every shape.
std::string symbol(Shape shape, double x, double y, double r) {
  const auto polygon = [](const std::string& start, const std::string& steps) {
    return "M" + start + "l" + steps + "z";
  };
  switch (shape) {
    case Shape::circle:
      return "M" + at(x - r, y) + "a" + at(r, r) + " 0 1 0 " + at(2 * r, 0) + "a" + at(r, r) + " 0 1 0 " +
             at(-2 * r, 0) + "z";
    case Shape::triangle:
      return polygon(at(x, y - 1.25 * r), at(1.2 * r, 2.1 * r) + " " + at(-2.4 * r, 0));
    case Shape::square:
      return polygon(at(x - 0.9 * r, y - 0.9 * r), at(1.8 * r, 0) + " " + at(0, 1.8 * r) + " " + at(-1.8 * r, 0));
    case Shape::diamond:
      return polygon(at(x, y - 1.25 * r),
                     at(1.25 * r, 1.25 * r) + " " + at(-1.25 * r, 1.25 * r) + " " + at(-1.25 * r, -1.25 * r));
  }
  return "";
}

/// A rim in the color of the paper keeps symbols apart that lie on one another.
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
    d += (down ? " " : "M") + at(frame.x.at(p.x), frame.y.at(p.y));
    down = true;
  }
  return path(stroke(series), d);
}

std::string steps_of(const Series& series, const Frame& frame) {
  std::string d;
  for (const auto& p : series.points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
    const double x = frame.x.at(p.x), y = frame.y.at(p.y);
    d += d.empty() ? "M" + at(x, y) : "H" + pixels(x) + "V" + pixels(y);
  }
  return path(stroke(series), d);
}

std::string band_of(const Series& series, const Frame& frame) {
  std::string above, below;
  for (const auto& p : series.points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.low) || !std::isfinite(p.high)) continue;
    above += (above.empty() ? "M" : " ") + at(frame.x.at(p.x), frame.y.at(p.high));
    below.insert(0, " " + at(frame.x.at(p.x), frame.y.at(p.low)));
  }
  return path("fill=\"currentColor\" fill-opacity=\".18\"", above.empty() ? "" : above + below + "z");
}

/// A bar ends in a cap, or in an arrow where it goes on beyond the axis.
std::string bar_end(double x, double y, double outward, bool cut) {
  constexpr double half = 4.5;
  if (!cut) return "M" + at(x, y - half) + "v" + pixels(2 * half);
  return "M" + at(x - outward * half, y - half) + "L" + at(x, y) + " " + at(x - outward * half, y + half);
}

std::string bars_of(const Series& series, const Frame& frame) {
  std::string d;
  for (const auto& p : series.points) {
    const double low = std::max(p.low, frame.x.low), high = std::min(p.high, frame.x.high);
    if (!frame.y.holds(p.y) || !(low <= high)) continue;
    const double y = frame.y.at(p.y), left = frame.x.at(low), right = frame.x.at(high);
    d += "M" + at(left, y) + "H" + pixels(right) + bar_end(left, y, -1, low > p.low) +
         bar_end(right, y, 1, high < p.high);
  }
  return path(stroke(series), d);
}

}  // namespace

std::string pixels(double value) {
  constexpr double far = 1e6;  // what a line outside of the figure may have
  std::array<char, 32> text{};
  const double tenths = std::round(10 * std::clamp(value, -far, far)) / 10;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), tenths == 0 ? 0.0 : tenths, std::chars_format::fixed);
  return {text.data(), end.ptr};
}

bool on_scale(const Series& series, const Frame& frame) {
  return std::any_of(series.points.begin(), series.points.end(), [&](const Point& p) {
    if (series.draw == Draw::band) return frame.x.holds(p.x) && p.high >= frame.y.low && p.low <= frame.y.high;
    if (series.draw == Draw::interval) return p.high >= frame.x.low && p.low <= frame.x.high && frame.y.holds(p.y);
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

}  // namespace retrial::report
