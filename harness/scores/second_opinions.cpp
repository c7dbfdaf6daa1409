#include "harness/scores/second_opinions.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/scores/compare_table.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/scores/selection/series.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/history/reference_convergence.hpp"
#include "variance/random/rng.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/samples/summary.hpp"
#include "variance/tables/pool_score.hpp"

namespace retrial::harness::inline scores {
namespace {

using report::right;

/// Options of our tests would be silently ignored.
void refuse_others(const Arguments& arguments, const std::string& test, const std::set<std::string>& reads) {
  std::set<std::string> known{"scores", "test",  "metric", "columns", "format",
                              "higher", "lower", "json",   "within",  "failure"};
  known.insert(reads.begin(), reads.end());
  for (const auto& [name, _] : arguments.options)
    if (!known.contains(name)) refuse_options(arguments, {name}, {.problem = "is not read by --test " + test});
}

Slice only_slice(const ScoreTable& table, const TableChoice& choice) {
  auto slices = task_slices(table, choice.metric);
  if (slices.size() == 1) return std::move(slices.front());
  throw Error({.code = "compare.one_task",
               .where = table.name,
               .field = "--test rcp",
               .problem = "checks one task, and the scores have " + std::to_string(slices.size())});
}

std::vector<double> runs_of(const Slice& slice, std::size_t name) {
  std::vector<double> out;
  for (const auto& score : slice.scores[name]) {
    if (!score)
      throw Error({.code = "scores.missing",
                   .where = slice.where,
                   .field = slice.names[name],
                   .problem = "has a run that did not reach the target: the check needs all of them",
                   .help = "our own tests count it as a loss: retrial compare --scores ... --test mann_whitney"});
    out.push_back(*score);
  }
  return out;
}

report::Part rcp_part(const ScoreTable& table, const Arguments& arguments) {
  const TableChoice choice = table_choice(arguments, table);
  if (choice.direction != variance::Direction::lower)
    throw Error({.code = "compare.direction",
                 .field = "--test rcp",
                 .problem = "reads epochs or samples to the target: lower is better"});
  const Slice slice = only_slice(table, choice);
  const Sides sides = sides_of({.where = table.name, .names = slice.names}, arguments);
  const auto reference = runs_of(slice, sides.baseline), submission = runs_of(slice, sides.candidate);
  const std::string &name = slice.names[sides.candidate], &other = slice.names[sides.baseline];
  const auto check = variance::reference_convergence(reference, submission);
  const auto ranks = variance::mann_whitney(submission, reference).test;
  const auto shift = variance::hodges_lehmann_shift(submission, reference);
  report::Section section{.id = "rcp",
                          .title = name + (check.passes ? " PASSES" : " FAILS") + " the reference check",
                          .aside = "(a second opinion, without an error rate)"};
  section.blocks.emplace_back(report::Facts{
      {{"mean of " + name, short_text(check.mean, 6), "of " + counted(std::ssize(submission), "run") + ", trimmed"},
       {"lowest mean", short_text(check.lowest_mean, 6), "that " + other + " allows"},
       {"mean of " + other, short_text(check.reference_mean, 6),
        "of " + counted(std::ssize(reference), "run") + ", trimmed; sd " + short_text(check.reference_sd)},
       {"max. speed-up", short_text(check.max_speedup, 6), "reference mean / lowest mean"},
       {"factor", short_text(check.factor, 6), "of the submission's time"},
       {"our test", "p " + short_text(ranks.p_less, 2), name + " faster than " + other + ", exact ranks, one-sided"},
       {"our interval", signed_text(shift.point), interval_line(shift)}}});
  section.blocks.emplace_back(report::Paragraph{
      "The check is a t test with the reference's deviation on both sides. Its size, by simulation, is 1.4 % for 3 "
      "runs, "
      "3.5 % for 5 and 4.5 % for 10, and its power against runs that are 5 % faster 11 %, 40 % and 75 % (CV 5 %). That "
      "it passes does not show that the runs are equal."});
  return {.section = std::move(section),
          .data = {{"schema", "retrial.opinion/1"},
                   {"test", "rcp"},
                   {"reference", other},
                   {"submission", name},
                   {"runs", Json::array({reference.size(), submission.size()})},
                   {"reference_mean", json_number(check.reference_mean)},
                   {"reference_sd", json_number(check.reference_sd)},
                   {"lowest_mean", json_number(check.lowest_mean)},
                   {"max_speedup", json_number(check.max_speedup)},
                   {"mean", json_number(check.mean)},
                   {"passes", check.passes},
                   {"factor", json_number(check.factor)},
                   {"p_faster", json_number(ranks.p_less)},
                   {"shift", json_number(shift.point)}}};
}

/// runs[submission][task]: times of the runs that reached the target; a task with any run has a number of runs.
struct Pool {
  std::vector<std::string> names, tasks;
  std::vector<std::vector<std::vector<std::optional<double>>>> runs;
};

Pool pool_of(const ScoreTable& table, const TableChoice& choice) {
  Pool out{.names = table.variants(), .tasks = table.tasks(), .runs = {}};
  out.runs.assign(out.names.size(), std::vector<std::vector<std::optional<double>>>(out.tasks.size()));
  for (const ScoreRow& row : table.rows) {
    if (row.metric != choice.metric) continue;
    const auto name = static_cast<std::size_t>(std::ranges::find(out.names, row.variant) - out.names.begin());
    const auto task = static_cast<std::size_t>(std::ranges::find(out.tasks, row.task) - out.tasks.begin());
    out.runs[name][task].push_back(row.score);
  }
  return out;
}

/// The median run; missed where the median run missed the target.
std::optional<double> median_time(std::vector<std::optional<double>> runs) {
  if (runs.empty()) return std::nullopt;
  std::ranges::sort(runs, [](const auto& a, const auto& b) { return a && (!b || *a < *b); });
  const std::size_t high = runs.size() / 2, low = (runs.size() - 1) / 2;
  if (!runs[high]) return std::nullopt;
  return (*runs[low] + *runs[high]) / 2.0;
}

std::vector<double> scores_of(const Pool& pool, std::vector<std::size_t>* nobody) {
  std::vector<variance::PoolTimes> times;
  for (const auto& one : pool.runs) {
    times.emplace_back();
    for (const auto& runs : one) times.back().push_back(median_time(runs));
  }
  const auto result = variance::pool_score(times);
  if (nobody != nullptr) *nobody = result.nobody;
  return result.scores;
}

/// 95 % of the scores of pools whose runs were drawn again with replacement.
std::vector<variance::Estimate> bands(const Pool& pool, const std::vector<double>& scores, std::uint64_t root,
                                      std::int64_t reps) {
  std::vector<std::vector<double>> drawn(scores.size());
  for (std::int64_t r = 0; r < reps; ++r) {
    variance::Stream draws(variance::derive(variance::derive(root, "pool_score"), "bootstrap"),
                           static_cast<std::uint64_t>(r));
    Pool again = pool;
    for (std::size_t s = 0; s < pool.runs.size(); ++s)
      for (std::size_t w = 0; w < pool.runs[s].size(); ++w)
        for (auto& run : again.runs[s][w])
          run = pool.runs[s][w][variance::bounded(draws.next(), pool.runs[s][w].size())];
    const auto now = scores_of(again, nullptr);
    for (std::size_t s = 0; s < now.size(); ++s) drawn[s].push_back(now[s]);
  }
  std::vector<variance::Estimate> out;
  for (std::size_t s = 0; s < scores.size(); ++s)
    out.push_back({.point = scores[s],
                   .low = variance::sample_quantile(drawn[s], 0.025),
                   .high = variance::sample_quantile(drawn[s], 0.975),
                   .method = "percentile bootstrap over runs"});
  return out;
}

report::Part pool_part(const ScoreTable& table, const Arguments& arguments) {
  const TableChoice choice = table_choice(arguments, table);
  if (choice.direction != variance::Direction::lower)
    throw Error({.code = "compare.direction",
                 .field = "--test pool_score",
                 .problem = "reads times to the target: lower is better"});
  const Pool pool = pool_of(table, choice);
  std::vector<std::size_t> nobody;
  const auto scores = scores_of(pool, &nobody);
  const bool repeated = std::ranges::any_of(pool.runs, [](const auto& one) {
    return std::ranges::any_of(one, [](const auto& runs) { return runs.size() > 1; });
  });
  std::vector<variance::Estimate> band;
  std::uint64_t root = 0;
  if (repeated) {
    root = arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed();
    band = bands(pool, scores, root, arguments.integer("reps", 100, 100'000).value_or(2000));
  }
  std::vector<std::size_t> order(scores.size());
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  report::Table rows{.columns = {"variant", right("score"), right("95 % interval"), right("tasks solved")}};
  Json list = Json::array();
  for (const std::size_t s : order) {
    const auto solved =
        std::ranges::count_if(pool.runs[s], [](const auto& runs) { return median_time(runs).has_value(); });
    rows.rows.push_back({pool.names[s], fixed_text(scores[s], 4), repeated ? interval_text(band[s]) : "-",
                         std::to_string(solved) + " of " + std::to_string(pool.tasks.size())});
    list.push_back({{"variant", pool.names[s]},
                    {"score", json_number(scores[s])},
                    {"low", repeated ? json_number(band[s].low) : Json()},
                    {"high", repeated ? json_number(band[s].high) : Json()},
                    {"solved", solved}});
  }
  report::Section section{.id = "pool-score",
                          .title = "Pool score of " + counted(std::ssize(pool.names), "variant") + " on " +
                                   counted(std::ssize(pool.tasks), "task"),
                          .aside = "(a second opinion, without an error rate)",
                          .blocks = {std::move(rows)}};
  if (repeated)
    section.blocks.emplace_back(
        report::Facts{{{"seed", std::to_string(root), "--seed repeats the draws of the intervals"}}});
  Json unsolved = Json::array();
  for (const std::size_t w : nobody) {
    unsolved.push_back(pool.tasks[w]);
    section.blocks.emplace_back(report::Warning{"nobody solved " + pool.tasks[w] + ": it counts 0 for all"});
  }
  section.blocks.emplace_back(
      report::Paragraph{"The area under the performance profile up to four times the fastest of the pool: 1 is fastest "
                        "everywhere. A score "
                        "depends on who else is in the pool, so one more variant can turn the order of two others."});
  return {.section = std::move(section),
          .data = {{"schema", "retrial.opinion/1"},
                   {"test", "pool_score"},
                   {"seed", repeated ? Json(results::hex16(root)) : Json()},
                   {"variants", list},
                   {"nobody", unsolved}}};
}

}  // namespace

std::vector<std::string> second_opinion_names() {
  return {"rcp", "pool_score"};
}

bool is_second_opinion(std::string_view test) {
  return test == "rcp" || test == "pool_score";
}

Exit show_second_opinion(const Arguments& arguments, const ScoreTable& table) {
  const std::string test = *arguments.value("test");
  const bool rcp = test == "rcp";
  refuse_others(arguments, test,
                rcp ? std::set<std::string>{"baseline", "candidate"} : std::set<std::string>{"seed", "reps"});
  print_part(rcp ? rcp_part(table, arguments) : pool_part(table, arguments), arguments.has("json"));
  return Exit::ok;
}

}  // namespace retrial::harness::inline scores
