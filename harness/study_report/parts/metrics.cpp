#include "harness/stored/metric_summary.hpp"
#include "harness/study_report/parts/parts.hpp"

namespace retrial::harness::inline study_report::inline parts {

Part metrics_part(const Material& material) {
  // No number of an unfinished study is shown; see read_material().
  if (!material.finished) return {.section = std::nullopt, .data = {{"metrics", Json::array()}}};
  const auto summaries = summarise(material.store, material.study, material.trials, std::nullopt);
  report::Section section{.id = "metrics", .title = "All metrics", .blocks = {}};
  if (summaries.empty())
    section.blocks.emplace_back(report::Paragraph{"No trial finished, so there is no metric to summarize."});
  else
    section.blocks.emplace_back(metrics_table(summaries));
  return {.section = std::move(section), .data = {{"metrics", json_of(summaries)}}};
}

}  // namespace retrial::harness::inline study_report::inline parts
