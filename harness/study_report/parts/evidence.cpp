#include "harness/judge/verdict/evidence.hpp"

#include "harness/judge/verdict/verdict_document.hpp"
#include "harness/judge/verdict/verdict_page.hpp"
#include "harness/study_report/material/footnotes.hpp"
#include "harness/study_report/parts/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"

namespace retrial::harness::inline study_report::inline parts {
namespace {

using report::Figure;
using report::Series;
using variance::Verdict;
using Rows = std::vector<EvidenceRow>;

report::Table footnotes(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows)
    if (!row.test_name.empty()) names.push_back(row.test_name);
  return footnotes_of(names);
}

/// The two probabilities with their intervals, on one scale with equality and the meaningful advantage, if declared.
Figure forest(const Rows& rows, const Verdict& v) {
  const auto gamma = v.design.levels().gamma;
  Figure out{
      .title = win_chance_of(v.design) + " with its interval",
      .description = "Each point is an estimate, each bar its " + percent(1 - v.design.alpha) +
                     " interval. At 0.5 (solid line) the two are equal" +
                     (gamma ? "; " + short_text(*gamma) +
                                  " (dashed line) is the smallest advantage that the design calls meaningful."
                            : "."),
      .plot = {.x = {.label = win_chance_of(v.design), .low = 0, .high = 1, .tics = {}},
               .y = {.label = "", .low = 0.3, .high = 2.7, .tics = {}},
               .series = {},
               .height = 200},
      .data = {.caption = "", .columns = {{"claim"}, {"estimate", true}, {"low", true}, {"high", true}}, .rows = {}},
      .svg = ""};
  out.plot.series = {vertical("equal", 0.5, out.plot.y, report::Dash::solid)};
  if (gamma) out.plot.series.push_back(vertical("meaningful", *gamma, out.plot.y, report::Dash::dashed));
  Series points{.draw = report::Draw::interval, .colour = report::Colour::blue, .width = 2, .points = {}};
  for (std::size_t i = 0; i < rows.size() && i < 2; ++i) {
    const auto& e = rows[i].estimate;
    if (!rows[i].chance) break;
    const double y = 2.0 - static_cast<double>(i);
    points.points.push_back({.x = e.point, .y = y, .low = e.low.value_or(e.point), .high = e.high.value_or(e.point)});
    out.plot.y.tics.push_back({y, i == 0 ? "same seeds" : "independent seeds"});
    out.data.rows.push_back({rows[i].what, short_text(e.point), or_dash(e.low), or_dash(e.high)});
  }
  out.plot.series.push_back(points);
  return out;
}

}  // namespace

Part evidence_part(const Material& material) {
  if (!material.judgement) return {.section = std::nullopt, .data = {{"verdict", nullptr}, {"claims", Json::array()}}};
  const Judged judged = material.judged();
  const Rows rows = evidence_rows(judged);
  Part out = verdict_evidence(judged, rows);
  if (!rows.empty()) {
    out.section->blocks.emplace_back(forest(rows, judged.verdict));
    out.section->blocks.emplace_back(footnotes(rows));
  }
  out.data["verdict"] = verdict_document(judged);
  return out;
}

Part design_part(const Material& material) {
  if (!material.judgement) return {.section = std::nullopt, .data = Json::object()};
  return {.section = design_section(material.judged()), .data = Json::object()};
}

}  // namespace retrial::harness::inline study_report::inline parts
