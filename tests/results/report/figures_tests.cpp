// From a plot to a drawing: labels that never touch, names that stay text, one set of ids each.
#include <algorithm>
#include <cmath>
#include <locale>
#include <random>

#include "results/report/drawing/label_text.hpp"
#include "results/report/drawing/layout.hpp"
#include "results/report/figures.hpp"
#include "tests/catch.hpp"
#include "tests/results/report/hostile_names.hpp"
#include "tests/results/report/page_elements.hpp"

namespace retrial::tests::figures_tests {

using namespace retrial;
using namespace retrial::report;

namespace {

Plot plot_with(const std::string& label) {
  return {.x = {.label = label, .low = 0, .high = 4, .tics = {{1, label}, {3, label}}},
          .y = {.label = label, .low = -1, .high = 5, .tics = {}},
          .series = {{.label = label, .draw = Draw::points, .points = {{1, 2}, {3, 4}}},
                     {.label = label, .draw = Draw::lines, .points = {{0, 0}, {4, 4}}},
                     {.label = "", .draw = Draw::band, .points = {{0, 1, 0, 2}, {4, 1, 0, 2}}},
                     {.label = "", .draw = Draw::steps, .points = {{0, 1}, {4, 2}}},
                     {.label = "", .draw = Draw::interval, .points = {{1, 1, 0.5, 1.5}}}}};
}

Report report_with(const std::string& label) {
  Report out;
  out.sections.push_back({.id = "s", .title = "s", .blocks = {}});
  out.sections[0].blocks.push_back(
      Figure{.title = label, .description = label, .plot = plot_with(label), .data = {}, .svg = ""});
  return out;
}

std::string drawn(const std::string& label) {
  Report report = report_with(label);
  draw_figures(report);
  return std::get<Figure>(report.sections[0].blocks[0]).svg;
}

std::string desk_svg(const std::string& label) {
  return svg_of(plot_with(label), {.id = "f-", .css = "desk", .width = 720, .title = label, .description = label});
}

struct Box {
  double left = 0, right = 0, top = 0, bottom = 0;
};

Box box_of(const Label& label) {
  const double width = label_width(label.text);
  const double left = label.x - (label.anchor == Anchor::start    ? 0
                                 : label.anchor == Anchor::middle ? width / 2
                                                                  : width);
  return {left, left + width, label.y - font_size / 2, label.y + font_size / 2};
}

bool touch(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

std::size_t collisions(const std::vector<Label>& labels) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) out += touch(box_of(labels[i]), box_of(labels[k])) ? 1 : 0;
  return out;
}

/// Any plot: names of any length, rows or numbers, up to six series in the key.
Plot any_plot(std::mt19937_64& bits) {
  const auto below = [&](std::uint64_t end) { return bits() % end; };
  const auto name = [&] {
    std::string out;
    for (auto left = below(60); left > 0; --left) out += "abcWi 9_"[below(8)];
    return out;
  };
  const double size = std::pow(10, static_cast<double>(below(12)) - 6);
  Plot out{.x = {.label = name(), .low = -size, .high = size * static_cast<double>(below(9)), .tics = {}},
           .y = {.label = below(2) == 0 ? "" : name(), .low = 0, .high = 1, .tics = {}},
           .series = {}};
  const auto rows = below(3) == 0 ? below(40) : 0;
  for (std::uint64_t row = 1; row <= rows; ++row) out.y.tics.push_back({static_cast<double>(row), name()});
  if (rows > 0) out.y.high = static_cast<double>(rows) + 1, out.height = 110 + 26 * static_cast<int>(rows);
  for (auto left = below(7); left > 0; --left) out.series.push_back({.label = name(), .points = {{0, 0.5}}});
  return out;
}

class Comma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

TEST_CASE("no two labels of a figure touch, and none leaves it, on a desk and on a phone", "[report]") {
  std::mt19937_64 bits(11);
  for (int i = 0; i < 500; ++i) {
    const Plot plot = any_plot(bits);
    for (const double width : {720.0, 340.0}) {
      const Layout layout = layout_of(plot, width);
      CAPTURE(i, width);
      CHECK(collisions(layout.labels) == 0);
      CHECK(layout.frame.x.length() > 0.4 * width);
      CHECK(layout.frame.y.length() >= 60);
      for (const auto& label : layout.labels) {
        CAPTURE(label.text);
        const Box box = box_of(label);
        CHECK(box.left >= -0.01);
        CHECK(box.right <= width + 0.01);
        CHECK(box.top >= 0);
        CHECK(box.bottom <= layout.height);
      }
    }
  }
}

TEST_CASE("labels that touch are seen", "[report]") {
  CHECK(collisions({{.x = 0, .y = 10, .text = "accuracy"}, {.x = 20, .y = 15, .text = "loss"}}) == 1);
  CHECK(collisions({{.x = 0, .y = 10, .text = "accuracy"}, {.x = 20, .y = 30, .text = "loss"}}) == 0);
}

TEST_CASE("the key is above the frame and names every labelled series", "[report]") {
  const Layout layout = layout_of(plot_with("kd"), 720);
  REQUIRE(layout.samples.size() == 2);
  for (const auto& sample : layout.samples) CHECK(sample.y + 6 < layout.frame.y.to);
}

TEST_CASE("points beyond the axis are listed in the key", "[report]") {
  Plot plot = plot_with("kd");
  plot.series.push_back({.label = "margin", .draw = Draw::lines, .points = {{9, -1}, {9, 5}}});
  const std::string svg = svg_of(plot, {.id = "f-"});
  CHECK_THAT(svg, has_text(">margin (off scale)<") && has_text(">kd<") && !has_text("kd (off scale)"));
}

TEST_CASE("lines and areas are cut at the frame, symbols are not", "[report]") {
  const std::string svg = desk_svg("kd");
  const auto clipped = [&] {
    std::size_t out = 0;
    for (std::size_t at = 0; (at = svg.find("clip-path=\"url(#f-clip)\"", at)) != std::string::npos; ++at) ++out;
    return out;
  }();
  CHECK(clipped == 3);  // lines, band, steps
  CHECK_THAT(svg, has_text("<clipPath id=\"f-clip\">"));
}

TEST_CASE("a figure of hostile names has the elements of a figure of plain ones", "[report]") {
  const auto plain = fixture::elements(desk_svg("kd"));
  CHECK(plain.size() > 30);
  for (const auto& name : fixture::hostile_names()) {
    if (name.empty()) continue;
    CAPTURE(name);
    CHECK(fixture::elements(desk_svg(name)) == plain);
  }
  CHECK(fixture::elements(desk_svg("kd") + "<b>") != plain);
}

TEST_CASE("a figure has a description for readers who cannot see it", "[report]") {
  CHECK_THAT(
      drawn("a < b"),
      has_text("role=\"img\" aria-labelledby=\"fig1-title fig1-desc\">\n<title id=\"fig1-title\">a &lt; b</title>"
               "<desc id=\"fig1-desc\">a &lt; b</desc>"));
}

TEST_CASE("each figure is drawn for a desk and for a phone, and no two drawings share an id", "[report]") {
  Report report = report_with("a");
  report.sections.push_back(report.sections[0]);
  draw_figures(report);
  std::vector<std::string> ids;
  for (const auto& section : report.sections) {
    const std::string& svg = std::get<Figure>(section.blocks[0]).svg;
    CHECK_THAT(svg, has_text("class=\"desk\" width=\"720\"") && has_text("class=\"phone\" width=\"340\""));
    for (std::size_t at = 0; (at = svg.find(" id=\"", at)) != std::string::npos;) {
      at += 5;
      ids.push_back(svg.substr(at, svg.find('"', at) - at));
    }
  }
  CHECK(ids.size() == 2 * 2 * 3);  // title, description, clip
  std::sort(ids.begin(), ids.end());
  CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
}

TEST_CASE("a drawing has the same bytes where numbers have commas", "[report]") {
  const std::string first = drawn("kd");
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  const std::string second = drawn("kd");
  std::locale::global(before);
  CHECK(first == second);
}

}  // namespace retrial::tests::figures_tests
