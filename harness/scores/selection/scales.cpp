#include <algorithm>
#include <map>

#include "harness/scores/selection/options.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline scores::inline selection {
namespace {

using SortedScores = std::vector<double>;  ///< in ascending order

/// Half and double of 100: 0.05 with 8 (errors) is as suspicious as 0.91 with 92, while 0.9 with 20 (losses) is
/// not.
constexpr double smallest_ratio = 50.0, largest_ratio = 200.0;

/// `shares` within 0 to 1 and `percent` within 0 to 100, with medians that differ by about 100 times.
bool hundredfold(const SortedScores& shares, const SortedScores& percent) {
  if (shares.front() < 0.0 || shares.back() > 1.0) return false;
  if (percent.front() < 0.0 || percent.back() <= 1.0 || percent.back() > 100.0) return false;
  const double ratio = *variance::median(percent) / *variance::median(shares);
  return ratio >= smallest_ratio && ratio <= largest_ratio;  // false for a median of 0
}

std::string range_text(const std::string& variant, const SortedScores& scores) {
  return results::one_line(variant, 60) + " has " + results::text_of(scores.front()) + " to " +
         results::text_of(scores.back());
}

}  // namespace

void require_one_scale(const ScoreTable& table, const std::string& metric) {
  if (const auto facts = table.metrics.find(metric); facts != table.metrics.end() && !facts->second.unit.empty())
    return;
  std::map<std::string, std::map<std::string, SortedScores>> tasks;
  for (const ScoreRow& row : table.rows)
    if (row.metric == metric && row.score) tasks[row.task][row.variant].push_back(*row.score);
  for (auto& [task, variants] : tasks) {
    for (auto& [variant, scores] : variants) std::ranges::sort(scores);
    for (const auto& [a, shares] : variants)
      for (const auto& [b, percent] : variants)
        if (hundredfold(shares, percent))
          throw Error({.code = "scores.scale",
                       .where = table.name,
                       .field = metric.empty() ? "score" : metric,
                       .problem = "has two scales" + (task.empty() ? "" : " on task " + results::one_line(task, 60)) +
                                  ": " + range_text(a, shares) + ", " + range_text(b, percent) +
                                  ", as shares and percent would have",
                       .help = "give all scores in one unit; if they are in one unit, add --same-scale"});
  }
}

}  // namespace retrial::harness::inline scores::inline selection
