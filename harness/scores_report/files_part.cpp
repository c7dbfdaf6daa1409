#include <algorithm>
#include <cmath>

#include "harness/scores_report/material.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/digest/sha256.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline scores_report {
namespace {

struct Spread {
  std::size_t runs = 0;
  std::optional<double> sd;  ///< pooled: the root of the mean variance of a task
};

Spread spread_of(const variance::TaskScores& scores) {
  Spread out;
  std::vector<double> variances;
  for (const auto& task : scores.tasks) {
    out.runs += task.size();
    if (const auto variance = variance::sample_variance(task)) variances.push_back(*variance);
  }
  if (const auto mean = variance::mean(variances)) out.sd = std::sqrt(*mean);
  return out;
}

std::int64_t failed_runs(const ScoresMaterial& material, const std::string& variant) {
  return std::ranges::count_if(material.table.rows, [&](const ScoreRow& row) {
    return row.variant == variant && row.metric == material.choice.metric && !row.score;
  });
}

}  // namespace

report::Part variants_part(const ScoresMaterial& material) {
  using report::right;
  const AggregateReport& means = material.aggregates[1];
  report::Table table{
      .caption = "sd: of the runs of one task, pooled over tasks",
      .columns = {"variant", right("tasks"), right("runs"), right("failed"), right("mean over tasks"), right("sd")}};
  Json data = Json::array();
  for (const auto& one : means.variants) {
    const auto v = std::ranges::find(material.all.names, one.variant) - material.all.names.begin();
    const Spread spread = spread_of(material.all.scores[static_cast<std::size_t>(v)]);
    const auto failed = failed_runs(material, one.variant);
    table.rows.push_back({one.variant, std::to_string(material.all.tasks.size()), std::to_string(spread.runs),
                          std::to_string(failed), short_text(one.estimate->point), or_dash(spread.sd)});
    data.push_back({{"variant", one.variant},
                    {"tasks", material.all.tasks.size()},
                    {"runs", spread.runs},
                    {"failed", failed},
                    {"mean", json_number(one.estimate->point)},
                    {"sd", json_number(spread.sd)}});
  }
  return {.section = report::Section{.id = "variants", .title = "Variants", .blocks = {std::move(table)}},
          .data = {{"variants", std::move(data)}}};
}

report::Part files_part(const ScoresMaterial& material) {
  report::Table table{.columns = {"file", report::right("bytes"), "SHA-256"}};
  Json data = Json::array();
  std::string again = "retrial compare";
  for (const ScoreInput& input : material.files) {
    const std::string path = (input.variant ? *input.variant + "=" : "") + input.path.string();
    const std::string digest = results::hex(results::sha256(input.text));
    table.rows.push_back({path, std::to_string(input.text.size()), digest});
    data.push_back({{"file", path}, {"bytes", input.text.size()}, {"sha256", digest}});
    again += " --scores " + shell_word(path);
  }
  again += " --aggregate iqm" + material.options;
  return {.section = report::Section{.id = "files",
                                     .title = "Files",
                                     .blocks = {std::move(table), report::Paragraph{"The same numbers in a terminal:"},
                                                report::Code{again}}},
          .data = {{"files", std::move(data)}}};
}

}  // namespace retrial::harness::inline scores_report
