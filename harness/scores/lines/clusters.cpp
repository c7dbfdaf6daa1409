#include "harness/scores/lines/clusters.hpp"

#include <algorithm>
#include <unordered_map>

#include "harness/scores/lines/score_lines.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline lines {
namespace {

/// The one value of a column that is selected.
std::string chosen(const ScoreTable& table, const std::string& name, const std::vector<std::string>& values,
                   const std::optional<std::string>& wanted) {
  if (!wanted && values.size() > 1)
    refuse_score({.path = table.name,
                  .field = name,
                  .problem = name == "task" ? "the file has several tasks, but only one can be judged"
                                            : "the file has several, so select one with --" + name,
                  .allowed = results::joined(values)});
  if (wanted && std::ranges::find(values, *wanted) == values.end())
    refuse_score({.path = table.name,
                  .field = "--" + name,
                  .value = *wanted,
                  .problem = "is not in the file",
                  .allowed = results::joined(values)});
  return wanted.value_or(values.front());
}

}  // namespace

ClusterScores clusters_of(const ScoreTable& table, const ClusterChoice& choice) {
  const auto variant = chosen(table, "variant", table.variants(), choice.variant);
  const auto metric = chosen(table, "metric", table.metric_names(), choice.metric);
  const auto task = chosen(table, "task", table.tasks(), {});
  ClusterScores out;
  std::unordered_map<const std::string*, std::size_t> places;
  for (const ScoreRow& row : table.rows) {
    if (row.variant != variant || row.metric != metric || row.task != task) continue;
    if (row.cluster.empty())
      refuse_score({.path = table.name, .field = "cluster", .problem = "a score has no cluster name"});
    if (!row.score) {
      ++out.missing;
      continue;
    }
    const std::size_t place = places.try_emplace(&row.cluster.text(), out.names.size()).first->second;
    if (place == out.names.size()) {
      out.names.push_back(row.cluster);
      out.scores.emplace_back();
    }
    out.scores[place].push_back(*row.score);
  }
  if (out.scores.empty()) refuse_score({.path = table.name, .field = "score", .problem = "no scores remain"});
  return out;
}

}  // namespace retrial::harness::inline scores::inline lines
