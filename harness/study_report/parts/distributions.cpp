#include <algorithm>
#include <cmath>

#include "harness/judge/verdict/verdict_page.hpp"
#include "harness/study_report/parts/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/report/column_text.hpp"

namespace retrial::harness::inline study_report::inline parts {
namespace {

using report::Series;

/// Steps drawn and listed per distribution function; with more values, every k-th and the last.
constexpr std::size_t max_steps = 400;

struct Side {
  std::string name;
  report::Colour colour = report::Colour::blue;
  report::Dash dash = report::Dash::solid;
  std::vector<double> values;  ///< finite, ascending
  std::int64_t left_out = 0;
};

Side side_of(const Judgement& j, bool candidate) {
  Side out{.name = candidate ? j.verdict.design.candidate : j.verdict.design.baseline,
           .colour = candidate ? report::Colour::blue : report::Colour::vermillion,
           .dash = candidate ? report::Dash::solid : report::Dash::dashed,
           .values = {}};
  for (const auto& row : j.pairs) {
    const auto& score = candidate ? row.candidate : row.baseline;
    if (score && std::isfinite(*score))
      out.values.push_back(*score);
    else
      ++out.left_out;
  }
  std::sort(out.values.begin(), out.values.end());
  return out;
}

/// (value, share of values up to it): the points where the function has just risen.
std::vector<report::Point> risen(const Side& side) {
  const std::size_t n = side.values.size(), step = n / max_steps + 1;
  std::vector<report::Point> out;
  for (std::size_t i = 0; i < n; ++i)
    if (i % step == step - 1 || i + 1 == n)
      out.push_back({.x = side.values[i], .y = static_cast<double>(i + 1) / static_cast<double>(n)});
  return out;
}

Series steps_of(const Side& side, const report::Axis& x) {
  Series out{.label = side.name,
             .draw = report::Draw::steps,
             .colour = side.colour,
             .dash = side.dash,
             .width = 2,
             .points = {{.x = x.low, .y = 0}}};
  for (const auto& point : risen(side)) out.points.push_back(point);
  out.points.push_back({.x = x.high, .y = 1});
  return out;
}

report::Figure figure_of(const Judgement& j, const std::vector<Side>& sides) {
  std::vector<double> all;
  for (const auto& side : sides) all.insert(all.end(), side.values.begin(), side.values.end());
  report::Figure out{.title = "Distribution of " + j.comparison.metric.name + ", " +
                              std::to_string(sides[0].values.size()) + " and " +
                              std::to_string(sides[1].values.size()) + " runs",
                     .description = "Each step is one run; its height is the share of runs with at most this value.",
                     .plot = {.x = axis_over(with_unit(j.comparison.metric.name, j.comparison.metric.unit), all),
                              .y = {.label = "share of runs", .low = 0, .high = 1.02, .tics = {}},
                              .series = {}},
                     .data = {.caption = "", .columns = {{"variant"}, {"value", true}, {"share", true}}, .rows = {}},
                     .svg = ""};
  for (const auto& side : sides) {
    if (!side.values.empty()) out.plot.series.push_back(steps_of(side, out.plot.x));
    const auto points = risen(side);
    std::vector<std::optional<double>> shown;
    for (const auto& point : points) shown.emplace_back(point.x);
    const auto texts = report::column_text(shown);
    for (std::size_t i = 0; i < points.size(); ++i)
      out.data.rows.push_back({side.name, texts[i], short_text(points[i].y)});
    if (side.values.size() > max_steps)
      out.description +=
          " For " + side.name + " every " + std::to_string(side.values.size() / max_steps + 1) + "th step is drawn.";
    if (side.left_out > 0)
      out.description += " " + counted(side.left_out, "run") + " of " + side.name + " without a finite value " +
                         (side.left_out == 1 ? "is" : "are") + " left out.";
  }
  return out;
}

}  // namespace

Part distributions_part(const Material& material) {
  if (!material.judgement) return {.section = std::nullopt, .data = Json::object()};
  const Judgement& j = *material.judgement;
  const std::vector<Side> sides{side_of(j, true), side_of(j, false)};
  report::Section section{
      .id = "distributions", .title = "Both variants", .aside = "(sd divides by n - 1)", .blocks = {}};
  section.blocks.push_back(variants_table(material.judged()));
  if (!sides[0].values.empty() || !sides[1].values.empty()) section.blocks.push_back(figure_of(j, sides));
  return {.section = std::move(section), .data = Json::object()};
}

}  // namespace retrial::harness::inline study_report::inline parts
