#include <algorithm>

#include "harness/scores/many_tests.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/groups/groups.hpp"
#include "variance/numbers/error.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline scores {
namespace {

using variance::FailurePolicy;
using variance::GroupTest;

/// The scores of each variant under a failure policy.
struct Groups {
  std::vector<std::string> names;
  std::vector<std::vector<double>> scores;
  std::vector<std::string> notes;
};

std::int64_t failed_runs(const Slice& slice) {
  std::int64_t missing = 0;
  for (std::size_t v = 0; v < slice.names.size(); ++v) missing += slice.missing(v);
  return missing;
}

FailurePolicy policy_for(const GroupTest& test, std::int64_t missing, std::optional<FailurePolicy> given) {
  const FailurePolicy policy = given.value_or(FailurePolicy::loss);
  const bool loss = policy == FailurePolicy::loss;
  if (missing == 0 || policy == FailurePolicy::drop || (loss && test.ordinal)) return policy;
  throw Error({.code = "scores.missing_score",
               .field = "--failure",
               .problem = counted(missing, "score") + (missing == 1 ? " is" : " are") + " missing, and " +
                          (loss ? std::string(test.name) + " cannot count a failed run as a loss"
                                : "--failure refuse forbids a test without them"),
               .allowed = test.ordinal ? "loss, drop" : "drop",
               .help = test.ordinal ? "" : "--test kruskal_wallis counts a failed run as the worst score"});
}

/// A value worse than every score, so that it ties with none of them.
double worse_than_all(const Slice& slice, variance::Direction direction) {
  double low = 0.0, high = 0.0;
  for (const auto& group : slice.scores)
    for (const auto& score : group)
      if (score) low = std::min(low, *score), high = std::max(high, *score);
  const double step = high - low + 1.0;
  return direction == variance::Direction::lower ? high + step : low - step;
}

Groups groups_of(const Slice& slice, const GroupTest& test, variance::Direction direction,
                 std::optional<FailurePolicy> given) {
  const std::int64_t missing = failed_runs(slice);
  const bool drop = policy_for(test, missing, given) == FailurePolicy::drop;
  const double worst = worse_than_all(slice, direction);
  Groups out{.names = slice.names, .scores = {}, .notes = slice.notes};
  for (const auto& group : slice.scores) {
    out.scores.emplace_back();
    for (const auto& score : group)
      if (score || !drop) out.scores.back().push_back(score.value_or(worst));
  }
  if (missing > 0 && drop)
    out.notes.push_back(counted(missing, "failed run") +
                        " left out, so a variant that fails more often looks better than it is");
  else if (missing > 0)
    out.notes.push_back(counted(missing, "failed run") + (missing == 1 ? " counts" : " count") +
                        " as worse than every score (--failure loss)");
  if (slice.paired && !slice.by_line)
    out.notes.push_back("the runs have pair numbers, which this test does not use: --test iman_davenport does");
  return out;
}

/// The library names groups by place, users by variant.
[[noreturn]] void refuse_group(const InvalidInput& mistake, const Groups& groups) {
  for (std::size_t g = 0; g < groups.names.size(); ++g) {
    const std::string place = "groups[" + std::to_string(g) + "]";
    if (!mistake.field.starts_with(place)) continue;
    throw Error({.code = "scores.value",
                 .field = groups.names[g],
                 .value = mistake.field == place && results::parse_int(mistake.value)
                              ? counted(*results::parse_int(mistake.value), "score")
                              : mistake.value,
                 .problem = "is not enough for this test",
                 .allowed = mistake.allowed});
  }
  throw mistake;
}

std::vector<VariantMeasures> measured(const Slice& slice, const Groups& groups, const std::vector<double>& ranks) {
  std::vector<VariantMeasures> out;
  for (std::size_t v = 0; v < groups.names.size(); ++v) {
    std::vector<double> scores;
    for (const auto& score : slice.scores[v])
      if (score) scores.push_back(*score);
    std::ranges::sort(scores);
    out.push_back({.name = groups.names[v],
                   .values = {static_cast<double>(groups.scores[v].size()), variance::mean(scores),
                              variance::sd(scores), variance::median(scores)}});
    if (!ranks.empty()) out.back().values.emplace_back(ranks[v]);
  }
  return out;
}

const Slice& only_slice(const std::vector<Slice>& slices, const std::string& name) {
  if (slices.size() == 1) return slices.front();
  std::vector<std::string> tasks;
  for (const Slice& slice : slices) tasks.push_back(slice.task);
  throw Error({.code = "compare.scores",
               .field = "--task",
               .problem = "must be given: test " + name + " is of the runs of one task, and the scores have " +
                          std::to_string(slices.size()),
               .allowed = results::joined(tasks),
               .help = "--test iman_davenport ranks the variants over all tasks"});
}

}  // namespace

Exit compare_independent(const Arguments& arguments, const ScoreTable& table, const TableStart& start,
                         const TableChoice& choice, const std::vector<Slice>& slices, const std::string& name) {
  const GroupTest& row = *variance::find_group_test(name);
  std::vector<std::string> reads{"failure", "resolution"};
  if (row.adjustable) reads.emplace_back("adjust");
  if (row.against_control) reads.insert(reads.end(), {"baseline", "require"});
  refuse_options_of_two(arguments, name, reads);
  variance::TestSettings settings = start.settings;
  take_options(arguments, settings);
  const Slice& slice = only_slice(slices, name);
  Groups groups = groups_of(slice, row, choice.direction, failure_given(arguments));
  groups.notes.insert(groups.notes.begin(), table.notes.begin(), table.notes.end());
  variance::GroupSettings how{.alpha = settings.alpha,
                              .adjust = adjustment_given(arguments).value_or(variance::Adjustment::holm),
                              .resolution = settings.resolution};
  if (arguments.has("baseline"))
    how.control = place_of_variant({table.name, groups.names}, "--baseline", *arguments.value("baseline"));
  ManyTest test{.name = row.name,
                .asks = row.asks,
                .when = row.when,
                .observed = {},
                .direction = choice.direction,
                .alpha = settings.alpha,
                .omnibus = {},
                .measures = {"runs", "mean", "sd", "median"},
                .variants = {},
                .estimand = std::string(row.estimand),
                .pairs_method = {},
                .adjust = row.adjustable ? std::optional(how.adjust) : std::nullopt,
                .pairs = {},
                .notes = groups.notes};
  try {
    const auto found = variance::compare_groups(name, groups.scores, how);
    std::vector<double> ranks;
    if (row.ordinal) {
      ranks = variance::mean_ranks_of_groups(groups.scores, how.resolution);
      test.measures.emplace_back("mean rank");
      test.notes.emplace_back("ranks are among all runs, 1 for the lowest score");
    }
    test.omnibus = found.omnibus;
    test.pairs_method = found.pairs_method;
    test.variants = measured(slice, groups, ranks);
    for (const auto& pair : found.pairs)
      test.pairs.push_back(
          {.candidate = groups.names[pair.first],
           .baseline = groups.names[pair.second],
           .rows = {},
           .difference = pair.difference,
           .p = pair.p,
           .p_adjusted = pair.p_adjusted,
           .better = (pair.difference.point > 0.0) == (choice.direction == variance::Direction::higher)});
  } catch (const InvalidInput& mistake) {
    refuse_group(mistake, groups);
  }
  for (const auto& group : groups.scores) test.n += std::ssize(group);
  test.observed = counted(std::ssize(groups.names), "variant") + " and " + counted(test.n, "independent run");
  return report_many(arguments, std::move(test), start);
}

}  // namespace retrial::harness::inline scores
