#include "results/report/figures.hpp"

#include <array>

#include "results/report/drawing/escape.hpp"
#include "results/report/drawing/label_text.hpp"
#include "results/report/drawing/layout.hpp"

namespace retrial::report {
namespace {

struct Paint {
  const char *css, *color;
};
/// In the order of Colour; the style sheet uses the same names.
constexpr std::array<Paint, 5> paints{
    {{"black", "#000000"}, {"grey", "#595959"}, {"blue", "#0072b2"}, {"vermillion", "#d55e00"}, {"green", "#009e73"}}};
constexpr Paint axis_paint{"axis", "#595959"}, grid_paint{"grid", "#e4e4e4"}, ink_paint{"ink", "#1b1d21"};
constexpr double to_base_line = 0.35 * font_size;  // from the middle of a line of text

std::string group(const Paint& paint, const std::string& attributes, const std::string& inner) {
  if (inner.empty()) return "";
  return std::string("<g class=\"") + paint.css + "\" color=\"" + paint.color + "\"" + attributes + ">" + inner +
         "</g>\n";
}

const Paint& paint_of(const Series& series) {
  return paints.at(static_cast<std::size_t>(series.colour));
}

std::string grid(const Layout& l) {
  const auto& [x, y] = l.frame;
  std::string d;
  for (const auto& tic : l.x_tics) d += command('M', {x.at(tic.at), y.to}) + command('V', {y.from});
  for (const auto& tic : l.y_tics) d += command('M', {x.from, y.at(tic.at)}) + command('H', {x.to});
  return group(grid_paint, " stroke=\"currentColor\"", "<path d=\"" + d + "\"/>");
}

std::string axis_lines(const Layout& l) {
  constexpr double length = 5;
  const auto& [x, y] = l.frame;
  std::string d = command('M', {x.from, y.to, x.from, y.from, x.to, y.from});
  for (const auto& tic : l.x_tics) d += command('M', {x.at(tic.at), y.from}) + command('v', {length});
  for (const auto& tic : l.y_tics) d += command('M', {x.from, y.at(tic.at)}) + command('h', {-length});
  return group(axis_paint, " stroke=\"currentColor\"", "<path d=\"" + d + "\"/>");
}

std::string text(const Label& label) {
  const std::string x = pixels(label.x), y = pixels(label.y + to_base_line);
  return "<text x=\"" + x + "\" y=\"" + y + "\">" + esc_html(label.text) + "</text>";
}

std::string labels(const Layout& l, Anchor anchor, bool of_ticks) {
  constexpr std::array<const char*, 3> anchors{"start", "middle", "end"};  // in the order of Anchor
  std::string out;
  for (const auto& label : l.labels)
    if (label.anchor == anchor && label.of_tick == of_ticks) out += text(label);
  return group(
      of_ticks ? axis_paint : ink_paint,
      std::string(" fill=\"currentColor\" text-anchor=\"") + anchors.at(static_cast<std::size_t>(anchor)) + "\"", out);
}

std::string words(const Layout& l) {
  std::string out;
  for (const bool of_ticks : {true, false})
    for (const Anchor anchor : {Anchor::start, Anchor::middle, Anchor::end}) out += labels(l, anchor, of_ticks);
  return out;
}

std::string samples(const Plot& plot, const Layout& l) {
  std::string out;
  for (const auto& sample : l.samples) {
    const Series& series = plot.series[sample.series];
    out += group(paint_of(series), "", sample_svg(series, sample.x, sample.y));
  }
  return out;
}

/// Lines and areas end at the frame at their full width.
std::string clip(const Layout& l, const std::string& id) {
  constexpr double room = 2;
  const auto& [x, y] = l.frame;
  const double left = x.from - room, right = x.to + room, top = y.to - room, bottom = y.from + room;
  return "<clipPath id=\"" + id + "\"><path d=\"" + command('M', {left, top}) + command('H', {right}) +
         command('V', {bottom}) + command('H', {left}) + "z\"/></clipPath>\n";
}

std::string curves(const Plot& plot, const Layout& l, const std::string& clip_id) {
  std::string out;
  for (const auto& series : plot.series)
    out += group(paint_of(series), has_symbols(series) ? "" : " clip-path=\"url(#" + clip_id + ")\"",
                 marks_svg(series, l.frame));
  return out;
}

std::string head(const Layout& l, const Drawing& drawing) {
  const std::string width = pixels(l.width), height = pixels(l.height), title = drawing.id + "title",
                    description = drawing.id + "desc";
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"" + drawing.css + "\" width=\"" + width + "\" height=\"" +
         height + "\" viewBox=\"0 0 " + width + " " + height +
         "\" fill=\"none\" font-family=\"sans-serif\" font-size=\"" + pixels(font_size) +
         "\" role=\"img\" aria-labelledby=\"" + title + " " + description + "\">\n<title id=\"" + title + "\">" +
         esc_html(drawing.title) + "</title><desc id=\"" + description + "\">" + esc_html(drawing.description) +
         "</desc>\n";
}

constexpr double desk = 720, phone = 340;

std::string drawn(const Figure& figure, const std::string& id, const std::string& css, double width) {
  return svg_of(figure.plot,
                {.id = id, .css = css, .width = width, .title = figure.title, .description = figure.description});
}

}  // namespace

std::string svg_of(const Plot& plot, const Drawing& drawing) {
  const Layout l = layout_of(plot, drawing.width);
  const std::string clip_id = drawing.id + "clip";
  return head(l, drawing) + clip(l, clip_id) + grid(l) + axis_lines(l) + curves(plot, l, clip_id) + samples(plot, l) +
         words(l) + "</svg>";
}

void draw_figures(Report& report) {
  int number = 0;
  for (auto& section : report.sections)
    for (auto& block : section.blocks)
      if (auto* figure = std::get_if<Figure>(&block)) {
        const std::string id = "fig" + std::to_string(++number);
        figure->svg = drawn(*figure, id + "-", "desk", desk) + drawn(*figure, id + "n-", "phone", phone);
      }
}

}  // namespace retrial::report
