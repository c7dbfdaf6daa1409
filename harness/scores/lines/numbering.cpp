#include "harness/scores/lines/score_table.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline lines {
namespace {

using Subject = std::tuple<std::string, std::string>;  // task, metric

[[noreturn]] void refuse(const ScoreTable& table, const std::string& problem) {
  throw Error({.code = "scores.pairs", .where = table.name, .field = "--paired", .problem = problem});
}

/// Numbers the processes of each variant in the order of the given files.
void rename_clusters(ScoreTable& table) {
  std::map<std::string, std::map<std::string, std::string>> names;  // [variant][cluster]
  for (ScoreRow& row : table.rows) {
    if (row.cluster.empty()) continue;
    auto& of_variant = names[row.variant];
    const auto fresh = "process-" + std::to_string(of_variant.size());
    row.cluster = table.called(of_variant.try_emplace(row.cluster.text(), fresh).first->second);
  }
}

}  // namespace

void number_pairs(ScoreTable& table) {
  std::map<Subject, std::map<std::string, std::int64_t>> runs;
  for (const ScoreRow& row : table.rows)
    if (row.pair) refuse(table, "the runs already have pair numbers");
  rename_clusters(table);
  for (ScoreRow& row : table.rows)
    if (row.cluster.empty()) row.pair = runs[{row.task.text(), row.metric.text()}][row.variant.text()]++;
  for (const auto& [subject, of_variants] : runs)
    for (const auto& [variant, count] : of_variants)
      if (count != of_variants.begin()->second)
        refuse(table, results::one_line(variant, 100) + " has " + std::to_string(count) + " runs and " +
                          results::one_line(of_variants.begin()->first, 100) + " has " +
                          std::to_string(of_variants.begin()->second) +
                          (std::get<0>(subject).empty() ? "" : " for task " + std::get<0>(subject)) +
                          ": they cannot be paired");
}

}  // namespace retrial::harness::inline scores::inline lines
