#include "results/report/drawing/layout.hpp"

#include <algorithm>

#include "results/report/drawing/escape.hpp"
#include "results/report/drawing/label_text.hpp"

namespace retrial::report::inline drawing {
namespace {

constexpr double edge = 4, line_height = 18, tick_room = 9;

std::string label_of(const Series& series, const Frame& values) {
  return cleaned(series.label, longest_in_figure) + (on_scale(series, values) ? "" : " (off scale)");
}

/// Entries from left to right, in as many rows as needed. Returns the end of the last row.
double add_key(const Plot& plot, const Frame& values, Layout& out) {
  constexpr double sample = 30, gap = 20;  // the sample with the blank after it; between two entries
  double x = edge, y = edge + line_height / 2;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    if (plot.series[i].label.empty()) continue;
    const std::string text = fitted(label_of(plot.series[i], values), out.width - 2 * edge - sample);
    const double taken = sample + label_width(text);
    if (x > edge && x + taken > out.width - edge) {
      x = edge;
      y += line_height;
    }
    out.samples.push_back({.series = i, .x = x, .y = y});
    out.labels.push_back({.x = x + sample, .y = y, .text = text});
    x += taken + gap;
  }
  return out.samples.empty() ? edge : y + line_height / 2 + edge;
}

/// The lines of a title, stacked; returns their end.
double add_title(const Axis& axis, double x, double top, Anchor anchor, Layout& out) {
  if (axis.label.empty()) return top;
  const auto lines = label_lines(cleaned(axis.label, longest_in_figure), out.width - 2 * edge);
  double half = 0;
  for (const auto& text : lines) half = std::max(half, label_width(text) / 2);
  if (anchor == Anchor::middle) x = std::clamp(x, edge + half, out.width - edge - half);
  for (const auto& text : lines) {
    out.labels.push_back({.x = x, .y = top + line_height / 2, .anchor = anchor, .text = text});
    top += line_height;
  }
  return top;
}

Axis readable(Axis axis, double label_room) {
  std::vector<std::string> labels;
  for (const auto& tic : axis.tics) labels.push_back(cleaned(tic.label, longest_in_figure));
  labels = fitted_apart(std::move(labels), label_room);
  for (std::size_t i = 0; i < labels.size(); ++i) axis.tics[i].label = std::move(labels[i]);
  return axis;
}

double widest(const std::vector<Tic>& tics) {
  double out = 0;
  for (const auto& tic : tics) out = std::max(out, label_width(tic.label));
  return out;
}

/// Rows keep their distance on a narrow screen; other plots need no more height than three quarters of their width.
double frame_height(const Plot& plot, double width) {
  constexpr double around = 95, least = 60;  // height reserved for keys, titles and labels
  const double height = plot.height - around;
  return std::max(least, plot.y.tics.empty() ? std::min(height, 0.75 * width) : height);
}

void add_tick_labels(Layout& out) {
  const auto& [x, y] = out.frame;
  for (const auto& tic : out.x_tics)
    out.labels.push_back({x.at(tic.at), y.from + tick_room + line_height / 2, Anchor::middle, true, tic.label});
  for (const auto& tic : out.y_tics)
    out.labels.push_back({x.from - tick_room, y.at(tic.at), Anchor::end, true, tic.label});
}

}  // namespace

Layout layout_of(const Plot& plot, double width) {
  constexpr double right = 16, max_label_share = 0.42;
  Layout out{.width = width};
  const Axis x = readable(plot.x, width / 4), y = readable(plot.y, max_label_share * width);
  const double key_end = add_key(plot, {.x = scale_of(x, 0, 1), .y = scale_of(y, 0, 1)}, out);
  const double top = add_title(y, edge, key_end, Anchor::start, out) + tick_room;
  const double bottom = top + frame_height(plot, width);
  out.frame.y = scale_of(y, bottom, top);
  out.y_tics = ticks_of(y, out.frame.y, LabelSide::left, bottom + line_height);
  out.frame.x = scale_of(x, edge + widest(out.y_tics) + tick_room, width - right);
  out.x_tics = ticks_of(x, out.frame.x, LabelSide::below, width);
  add_tick_labels(out);
  const double center = (out.frame.x.from + out.frame.x.to) / 2;
  out.height = add_title(x, center, bottom + tick_room + line_height + edge, Anchor::middle, out) + edge;
  return out;
}

}  // namespace retrial::report::inline drawing
