#include "harness/stored/metric_summary.hpp"
#include "harness/study_report/parts.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"

namespace retrial::harness::inline study_report {
namespace {

report::Table table_of(const std::vector<MetricSummary>& summaries) {
  report::Table out{.caption =
                        "Final values of the runs that finished, the judged metric first. No comparison is made of "
                        "the others: with many metrics some differ by chance.",
                    .columns = {{"metric"},
                                {"unit"},
                                {"better"},
                                {"kind"},
                                {"variant"},
                                {"n", true},
                                {"mean", true},
                                {"sd", true},
                                {"median", true},
                                {"least", true},
                                {"greatest", true},
                                {"not finite", true}},
                    .rows = {}};
  for (const auto& s : summaries)
    out.rows.push_back({s.def.name, s.def.unit, std::string(results::name_of(s.def.direction)),
                        std::string(results::name_of(s.def.nature)), s.variant, std::to_string(s.n), or_dash(s.mean),
                        or_dash(s.sd), or_dash(s.median), or_dash(s.least), or_dash(s.greatest),
                        s.non_finite == 0 ? "" : std::to_string(s.non_finite)});
  return out;
}

}  // namespace

Part metrics_part(const Material& material) {
  // Of an unfinished study no number is shown; see read_material().
  if (!material.finished) return {.section = std::nullopt, .data = {{"metrics", Json::array()}}};
  const auto summaries = summarise(material.store, material.study, material.trials, std::nullopt);
  report::Section section{.id = "metrics", .title = "All metrics", .blocks = {}};
  if (summaries.empty())
    section.blocks.push_back(report::Paragraph{"No run finished, so there is no metric to summarise."});
  else
    section.blocks.push_back(table_of(summaries));
  return {.section = std::move(section), .data = {{"metrics", json_of(summaries)}}};
}

}  // namespace retrial::harness::inline study_report
