#include "harness/scores_report/changes_page.hpp"

#include <cmath>

#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores_report {
namespace {

using report::right;
using variance::Direction;

/// "better", "worse"; "up", "down" where no direction is known.
std::string word_for(double difference, Direction direction) {
  if (direction == Direction::none) return difference > 0.0 ? "up" : "down";
  return (difference > 0.0) == (direction == Direction::higher) ? "better" : "worse";
}

/// The change as a share of the mean before; absent where that is 0.
std::optional<double> relative(const HistorySegment& before, const HistorySegment& after) {
  return before.mean == 0.0 ? std::nullopt : std::optional((after.mean - before.mean) / std::fabs(before.mean));
}

report::Table segments_table(const SeriesChanges& one, const ChangesPage& page) {
  report::Table out{.caption = one.series.name,
                    .columns = {"from", "to", right("points"), right("mean"), right("sd"), right("difference"),
                                right("change"), "is"}};
  if (page.alpha) out.columns.push_back(right("p"));
  for (std::size_t s = 0; s < one.segments.size(); ++s) {
    const HistorySegment& segment = one.segments[s];
    std::vector<report::Cell> row{one.series.points[segment.from].label, one.series.points[segment.end - 1].label,
                                  std::to_string(segment.end - segment.from), short_text(segment.mean),
                                  or_dash(segment.sd)};
    if (s == 0) {
      row.insert(row.end(), {"-", "-", "-"});
    } else {
      const HistorySegment& before = one.segments[s - 1];
      const double difference = segment.mean - before.mean;
      const auto share = relative(before, segment);
      row.insert(row.end(), {signed_text(difference), share ? signed_text(100.0 * *share) + " %" : "-",
                             word_for(difference, page.direction)});
    }
    if (page.alpha) row.emplace_back(or_dash(segment.p));
    out.rows.push_back(std::move(row));
  }
  return out;
}

Json segment_rows(const SeriesChanges& one, const ChangesPage& page) {
  Json out = Json::array();
  for (std::size_t s = 0; s < one.segments.size(); ++s) {
    const HistorySegment& segment = one.segments[s];
    Json row{{"from", segment.from},
             {"from_label", one.series.points[segment.from].label},
             {"to_label", one.series.points[segment.end - 1].label},
             {"points", segment.end - segment.from},
             {"mean", json_number(segment.mean)},
             {"sd", json_number(segment.sd)},
             {"difference", Json()},
             {"relative", Json()},
             {"is", Json()},
             {"p", json_number(segment.p)}};
    if (s > 0) {
      const double difference = segment.mean - one.segments[s - 1].mean;
      row["difference"] = json_number(difference);
      row["relative"] = json_number(relative(one.segments[s - 1], segment));
      row["is"] = word_for(difference, page.direction);
    }
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

report::Section changes_section(const ChangesPage& page) {
  std::int64_t points = 0;
  for (const SeriesChanges& one : page.series) points += std::ssize(one.series.points);
  const std::string of = page.series.size() > 1 ? " of " + std::to_string(page.series.size()) + " histories" : "";
  const std::string found = page.changes() == 0 ? "No change" : counted(page.changes(), "change");
  report::Section out{.id = "changes", .title = found + " in " + counted(points, "point") + of};
  report::Facts facts{{{"method", page.title}}};
  if (!page.metric.empty()) facts.rows.push_back({"metric", page.metric, page.unit});
  if (page.alpha)
    facts.rows.push_back(
        {"alpha", short_text(*page.alpha),
         page.permutations > 0 ? "for each history, " + counted(page.permutations, "permutation") : ""});
  if (page.permutations > 0) facts.rows.push_back({"seed", std::to_string(page.root), "--seed repeats the draws"});
  out.blocks.emplace_back(std::move(facts));
  for (const SeriesChanges& one : page.series) out.blocks.emplace_back(segments_table(one, page));
  out.blocks.emplace_back(report::Paragraph{page.promise});
  for (const std::string& text : page.notes) out.blocks.emplace_back(report::Warning{text});
  return out;
}

Json changes_document(const ChangesPage& page) {
  Json series = Json::array();
  for (const SeriesChanges& one : page.series) {
    Json indices = Json::array();
    for (std::size_t s = 1; s < one.segments.size(); ++s) indices.push_back(one.segments[s].from);
    series.push_back({{"name", one.series.name},
                      {"points", one.series.points.size()},
                      {"changes", indices},
                      {"segments", segment_rows(one, page)}});
  }
  const bool drawn = page.permutations > 0;
  return {{"schema", "retrial.changes/1"},
          {"method", page.method},
          {"metric", page.metric},
          {"direction", page.direction == Direction::none ? Json() : Json(word_of(page.direction))},
          {"alpha", json_number(page.alpha)},
          {"permutations", drawn ? Json(page.permutations) : Json()},
          {"seed", drawn ? Json(results::hex16(page.root)) : Json()},
          {"series", series},
          {"notes", page.notes}};
}

}  // namespace retrial::harness::inline scores_report
