#include <algorithm>
#include <cmath>

#include "harness/judge/leaderboard/leaderboard_page.hpp"
#include "harness/study_report/material/footnotes.hpp"
#include "harness/study_report/parts/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"

/// A study of three or more variants: every other variant compared with the baseline, and with the candidate, each as
/// one family of claims with a joint error rate; of a full grid also the effect of each key.
namespace retrial::harness::inline study_report::inline parts {
namespace {

using report::Figure;
using report::Series;

constexpr double axis_over_median = 20;

/// A variant that fell apart must not squeeze all others onto the zero line: the axis ends at twenty times the median
/// distance, and what is beyond is an arrow at its edge. Nothing if no point is beyond.
std::optional<double> end_of_axis(const std::vector<Member>& members) {
  std::vector<double> distances;
  for (const auto& m : members) distances.push_back(std::fabs(m.difference.mean.point));
  const double end = axis_over_median * variance::median(distances).value_or(0);
  if (end == 0 || std::ranges::none_of(distances, [&](double d) { return d > end; })) return {};
  return end;
}

std::string beyond_text(const std::vector<Member>& members, double end) {
  std::vector<std::string> beyond;
  for (const auto& m : members)
    if (std::fabs(m.difference.mean.point) > end)
      beyond.push_back(m.variant + " (" + signed_text(m.difference.mean.point) + ")");
  return " The axis ends at " + short_text(axis_over_median) +
         " times the median distance. Arrows at its edge: " + results::joined(beyond) + ".";
}

report::Axis differences_axis(const Leaderboard& board, const std::vector<Member>& members,
                              const std::optional<double>& end) {
  std::vector<double> ends{0};
  for (const auto& m : members) {
    const auto& e = m.difference.mean;
    for (const auto& value : {std::optional(e.point), e.low, e.high})
      if (value) ends.push_back(end ? std::clamp(*value, -*end, *end) : *value);
  }
  return axis_over(
      with_unit(board.metric.name + ", difference from " + board.reference, difference_unit(board.metric.unit)), ends);
}

std::string description_of(const Leaderboard& board, const std::vector<Member>& members,
                           const std::optional<double>& end) {
  return "Each point is a mean difference over the pairs, each bar its interval, joint at " + percent(1 - board.alpha) +
         ". A bar that excludes 0 (solid line) shows a difference." + (end ? beyond_text(members, *end) : "");
}

/// Largest difference first, so that the order is informative.
Figure forest_of(const Leaderboard& board) {
  auto members = board.members;
  std::stable_sort(members.begin(), members.end(),
                   [](const auto& a, const auto& b) { return a.difference.mean.point > b.difference.mean.point; });
  const auto end = end_of_axis(members);
  const double top = static_cast<double>(members.size()) + 0.7;
  Figure out{.title = "Every variant vs " + board.reference,
             .description = description_of(board, members, end),
             .plot = {.x = differences_axis(board, members, end),
                      .y = {.label = "", .low = 0.3, .high = top, .tics = {}},
                      .series = {},
                      .height = 110 + 26 * static_cast<int>(members.size())},
             .data = leaderboard_table(board),
             .open = true,
             .svg = ""};
  out.data.caption = leaderboard_rule(board);
  out.plot.series.push_back(vertical("no difference", 0, out.plot.y, report::Dash::solid));
  if (board.margin) {
    out.plot.series.push_back(vertical("margin", *board.margin, out.plot.y, report::Dash::dashed));
    out.plot.series.push_back(vertical("", -*board.margin, out.plot.y, report::Dash::dashed));
  }
  Series points{.draw = report::Draw::interval, .colour = report::Colour::blue, .width = 2, .points = {}};
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto& e = members[i].difference.mean;
    const double y = static_cast<double>(members.size() - i);
    points.points.push_back({.x = e.point, .y = y, .low = e.low.value_or(e.point), .high = e.high.value_or(e.point)});
    out.plot.y.tics.push_back({y, members[i].variant});
  }
  out.plot.series.push_back(std::move(points));
  return out;
}

bool has_family(const Material& material) {
  return material.decided() && has_leaderboard(material.study);
}

void add_blocks(const Leaderboard& board, report::Section& section) {
  if (!board.members.empty()) section.blocks.emplace_back(forest_of(board));
  if (!board.left_out.empty()) section.blocks.emplace_back(left_out_table(board));
}

void add_effects(const Leaderboard& board, report::Section& section) {
  const auto effects = effects_of(board);
  if (!effects) return;
  auto table = effects_table(*effects, board);
  table.caption = "Effect of each key. " + effects_rule(*effects, board);
  section.blocks.emplace_back(std::move(table));
}

}  // namespace

Part family_part(const Material& material) {
  report::Section section{.id = "variants", .title = "Every variant", .blocks = {}};
  if (!has_family(material)) {
    const auto text = material.decided() ? not_ranked_text(material.study) : "";
    if (text.empty()) return {.section = std::nullopt, .data = Json::object()};
    section.blocks.emplace_back(report::Paragraph{text});
    return {.section = std::move(section), .data = Json::object()};
  }
  Json data = Json::array();
  const auto& design = material.judgement->verdict.design;
  for (const auto& reference : {design.baseline, design.candidate}) {
    const auto board =
        leaderboard_of(material.store, material.study, material.trials, material.judgement->comparison, reference);
    add_blocks(board, section);
    if (reference == design.baseline) add_effects(board, section);
    data.push_back(leaderboard_document(board));
  }
  section.blocks.push_back(footnotes_of({"paired_t"}));
  return {.section = std::move(section), .data = {{"families", data}}};
}

}  // namespace retrial::harness::inline study_report::inline parts
