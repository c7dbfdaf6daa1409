#include <algorithm>

#include "harness/scores/many_tests.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"
#include "variance/tables/table_with_holes.hpp"

namespace retrial::harness::inline scores {
namespace {

using variance::TableWithHoles;

/// Mean of the runs of one variant on one task; a hole if it has none there.
std::optional<double> task_mean(const Slice& slice, const std::string& variant, bool drop) {
  const auto found = std::ranges::find(slice.names, variant);
  if (found == slice.names.end()) return std::nullopt;
  const auto v = static_cast<std::size_t>(found - slice.names.begin());
  std::vector<double> scores;
  for (const auto& score : slice.scores[v])
    if (score) scores.push_back(*score);
  if (!scores.empty() && slice.missing(v) > 0 && !drop)
    throw Error({.code = "scores.missing_score",
                 .field = "--failure",
                 .problem = variant + " lacks a score in some runs of task " + slice.task +
                            ", and the mean of the others may look better than it is",
                 .allowed = "drop",
                 .help = "leave out the failed runs with --failure drop, or leave the task empty for this variant"});
  std::ranges::sort(scores);
  return variance::mean(scores);
}

/// With one slice, the rows are its pairs; with several, the means of the tasks.
TableWithHoles holes_of(const std::vector<Slice>& slices, const ScoreTable& table, bool drop) {
  TableWithHoles out{.methods = table.variants(), .rows = {}};
  if (slices.size() > 1) {
    for (const Slice& slice : slices) {
      out.rows.emplace_back();
      for (const std::string& variant : out.methods) out.rows.back().push_back(task_mean(slice, variant, drop));
    }
    return out;
  }
  const Slice& slice = slices.front();
  if (!slice.paired)
    throw Error({.code = "compare.scores",
                 .field = "--test",
                 .problem = "ranks of several methods need pairs or several tasks",
                 .help = "for independent runs: --test kruskal_wallis or --test welch_anova"});
  out.methods = slice.names;
  std::size_t longest = 0;
  for (const auto& scores : slice.scores) longest = std::max(longest, scores.size());
  for (std::size_t i = 0; i < longest; ++i) {
    out.rows.emplace_back();
    for (const auto& scores : slice.scores) out.rows.back().push_back(i < scores.size() ? scores[i] : std::nullopt);
  }
  return out;
}

std::int64_t scores_of(const TableWithHoles& table, std::size_t method) {
  return std::ranges::count_if(table.rows, [&](const auto& row) { return row[method].has_value(); });
}

}  // namespace

Exit compare_with_holes(const Arguments& arguments, const ScoreTable& table, const TableStart& start,
                        const TableChoice& choice, const std::vector<Slice>& slices, const std::string& name) {
  refuse_options_of_two(arguments, name, {"failure", "adjust"});
  const auto policy = failure_given(arguments);
  if (policy && policy != variance::FailurePolicy::drop)
    throw Error({.code = "usage.option_value",
                 .field = "--failure",
                 .value = *arguments.value("failure"),
                 .problem = "does not apply to test " + name + ", where a failed run is a hole",
                 .allowed = "drop"});
  TableWithHoles scores = holes_of(slices, table, policy.has_value());
  if (choice.direction == variance::Direction::lower)
    for (auto& row : scores.rows)
      for (auto& score : row)
        if (score) *score = -*score;
  const auto& row = *variance::find_omnibus(name);
  ManyTest test{.name = row.name,
                .asks = row.asks,
                .when = row.when,
                .observed = {},
                .n = std::ssize(scores.rows),
                .direction = choice.direction,
                .alpha = arguments.number("alpha", {0, 0.5, true, true}).value_or(start.settings.alpha),
                .omnibus = variance::skillings_mack(scores),
                .measures = {"data sets", "weighted rank sum"},
                .variants = {},
                .estimand = {},
                .pairs_method = "Wilcoxon's signed ranks on the data sets with both",
                .adjust = adjustment_given(arguments).value_or(variance::Adjustment::holm),
                .pairs = {},
                .notes = table.notes};
  const auto sums = variance::weighted_rank_sums(scores);
  std::int64_t held = 0;
  for (std::size_t v = 0; v < scores.methods.size(); ++v) {
    held += scores_of(scores, v);
    test.variants.push_back(
        {.name = scores.methods[v], .values = {static_cast<double>(scores_of(scores, v)), sums[v]}});
  }
  for (const auto& pair : variance::pairs_with_holes(scores, *test.adjust))
    test.pairs.push_back({.candidate = scores.methods[pair.first],
                          .baseline = scores.methods[pair.second],
                          .rows = pair.rows,
                          .difference = {},
                          .p = pair.p,
                          .p_adjusted = pair.p_adjusted,
                          .better = pair.first_ahead});
  const std::int64_t holes = test.n * std::ssize(scores.methods) - held;
  test.observed = counted(std::ssize(scores.methods), "method") + " and " + counted(test.n, "data set") + " with " +
                  counted(holes, "hole");
  test.notes.emplace_back("a weighted rank sum below 0 is better than the other methods of the same data sets");
  if (holes > 0)
    test.notes.emplace_back(
        "valid only if no score is missing because it would have been low: a method that failed "
        "where it did badly looks better than it is");
  return report_many(arguments, std::move(test), start);
}

}  // namespace retrial::harness::inline scores
