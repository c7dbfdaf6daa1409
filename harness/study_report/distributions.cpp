#include <algorithm>
#include <cmath>

#include "harness/judge/verdict_words.hpp"
#include "harness/study_report/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study_report {
namespace {

using report::Series;

/// Steps of one distribution function that are drawn and listed: with more values every k-th, and the last.
constexpr std::size_t most_steps = 900;

struct Side {
  std::string name, role;
  report::Colour colour = report::Colour::blue;
  report::Dash dash = report::Dash::solid;
  std::vector<double> values;  ///< finite, ascending
  std::int64_t left_out = 0;
};

Side side_of(const Judgement& j, bool candidate) {
  Side out{.name = candidate ? j.verdict.design.candidate : j.verdict.design.baseline,
           .role = candidate ? "candidate" : "baseline",
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

/// (value, share of the values up to it): the points where the function has just risen.
std::vector<report::Point> risen(const Side& side) {
  const std::size_t n = side.values.size(), step = n / most_steps + 1;
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
                     .description = "Each step is a run: the height is the share of the runs with at most this value.",
                     .plot = {.x = axis_over(with_unit(j.comparison.metric.name, j.comparison.metric.unit), all),
                              .y = {.label = "share of runs", .low = 0, .high = 1.02, .tics = {}},
                              .series = {}},
                     .data = {.caption = "", .columns = {{"variant"}, {"value", true}, {"share", true}}, .rows = {}},
                     .svg = ""};
  for (const auto& side : sides) {
    if (!side.values.empty()) out.plot.series.push_back(steps_of(side, out.plot.x));
    for (const auto& point : risen(side))
      out.data.rows.push_back({side.name, results::text_of(point.x), short_text(point.y)});
    if (side.values.size() > most_steps)
      out.description +=
          " Of " + side.name + " every " + std::to_string(side.values.size() / most_steps + 1) + "th step is drawn.";
    if (side.left_out > 0)
      out.description += " " + counted(side.left_out, "run") + " of " + side.name + " without a finite value " +
                         (side.left_out == 1 ? "is" : "are") + " left out.";
  }
  return out;
}

std::string floor_text(const variance::VariantSummary& s) {
  if (!s.binomial_floor) return "-";
  const std::string share = !s.floor_share        ? ""
                            : *s.floor_share >= 1 ? " (100 % or more)"
                                                  : " (" + percent(*s.floor_share) + ")";
  return short_text(*s.binomial_floor) + share;
}

std::vector<report::Cell> summary_row(const Side& side, const variance::VariantSummary& s) {
  return {side.name,     side.role,     std::to_string(s.runs),    or_dash(s.mean),
          or_dash(s.sd), floor_text(s), std::to_string(s.missing), std::to_string(s.diverged)};
}

report::Table summary_table(const Judgement& j, const std::vector<Side>& sides) {
  const auto& v = j.verdict;
  return {
      .caption = j.comparison.metric.name +
                 (v.candidate.binomial_floor
                      ? ": sd divides by n - 1; its floor is what the choice of the test items alone gives, with its "
                        "share of the variance"
                      : ": sd divides by n - 1"),
      .columns = {{"variant"},
                  {"role"},
                  {"n", true},
                  {"mean", true},
                  {"sd", true},
                  {"floor of sd", true},
                  {"failed", true},
                  {"diverged", true}},
      .rows = {summary_row(sides[0], v.candidate), summary_row(sides[1], v.baseline)}};
}

}  // namespace

Part distributions_part(const Material& material) {
  if (!material.judgement) return {.section = std::nullopt, .data = Json::object()};
  const Judgement& j = *material.judgement;
  const std::vector<Side> sides{side_of(j, true), side_of(j, false)};
  report::Section section{.id = "distributions", .title = "Both variants", .blocks = {}};
  section.blocks.push_back(summary_table(j, sides));
  if (!sides[0].values.empty() || !sides[1].values.empty()) section.blocks.push_back(figure_of(j, sides));
  return {.section = std::move(section), .data = Json::object()};
}

}  // namespace retrial::harness::inline study_report
