#include <algorithm>

#include "harness/scores_report/material.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores_report {
namespace {

/// Whether the aggregate says something of its own: the median over one task is its mean, and of scores that all reach
/// the target there is no gap.
bool is_worth_showing(const AggregateReport& one) {
  if (one.aggregate == "median") return one.tasks > 1;
  return one.aggregate != "gap" || std::ranges::any_of(one.variants, [](const VariantAggregate& variant) {
           return variant.estimate->point != 0.0;
         });
}

report::Table differences_table(const ScoresMaterial& material) {
  using report::right;
  report::Table out{.caption =
                        "Differences: an interval on one side of 0 shows a difference; whether the intervals of two "
                        "variants overlap is not a test.",
                    .columns = {"aggregate", "difference", right("estimate"), "interval"}};
  for (const AggregateReport& one : material.aggregates) {
    if (!is_worth_showing(one)) continue;
    for (const auto& d : one.differences)
      out.rows.push_back(
          {one.aggregate, d.candidate + " - " + d.baseline, short_text(d.estimate.point), interval_line(d.estimate)});
  }
  return out;
}

report::Figure figure_of(const AggregateReport& one, const ScoresMaterial& material) {
  std::vector<IntervalRow> rows;
  for (const auto& variant : one.variants)
    rows.push_back({variant.variant, *variant.estimate, place_in_report(material, variant.variant)});
  const bool gap = one.aggregate == "gap";
  const std::string title = aggregate_title(one.aggregate) + (gap ? " " + short_text(material.target) : "");
  return interval_figure(char(std::toupper(title.front())) + title.substr(1),
                         "Each point is an estimate over " + counted(static_cast<std::int64_t>(one.tasks), "task") +
                             ", each bar its " + percent(1 - one.alpha) + " interval." +
                             (gap ? " Smaller is better." : ""),
                         material.scale, rows);
}

}  // namespace

report::Part aggregates_part(const ScoresMaterial& material) {
  const AggregateReport& first = material.aggregates.front();
  report::Section section{.id = "aggregates",
                          .title = "Aggregates",
                          .aside = "(bootstrap of " + std::string(first.paired ? "pairs of runs" : "runs") +
                                   (first.task_bootstrap ? " and tasks" : " within each task") + ")"};
  Json data = Json::array();
  for (const AggregateReport& one : material.aggregates) {
    if (is_worth_showing(one)) section.blocks.emplace_back(figure_of(one, material));
    data.push_back(aggregate_document(one));
  }
  if (!first.differences.empty()) section.blocks.emplace_back(differences_table(material));
  if (material.choice.direction == variance::Direction::lower)
    section.blocks.emplace_back(
        report::Paragraph{"There is no optimality gap: it needs scores of which higher ones are better."});
  else if (!is_worth_showing(material.aggregates.back()))
    section.blocks.emplace_back(report::Paragraph{"There is no optimality gap: every score reaches the target " +
                                                  short_text(material.target) + " (--target SCORE sets another)."});
  for (const auto& text : first.notes) section.blocks.emplace_back(report::Warning{text});
  return {.section = std::move(section), .data = {{"aggregates", std::move(data)}}};
}

}  // namespace retrial::harness::inline scores_report
