#include "harness/scores/aggregates.hpp"

#include <algorithm>
#include <iostream>
#include <numeric>

#include "harness/scores/aggregator.hpp"
#include "harness/scores/compare_scores.hpp"
#include "harness/scores/compare_table.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores {
namespace {

using variance::AggregateOptions;
using variance::Direction;

[[noreturn]] void refuse_aggregate(const std::string& field, const std::string& problem, const std::string& help = "") {
  throw Error({.code = "usage.option_value", .field = field, .problem = problem, .help = help});
}

AggregateOptions options_from(const Arguments& arguments) {
  AggregateOptions options;
  options.alpha = arguments.number("alpha", {0, 0.5, true, true}).value_or(options.alpha);
  options.gamma = arguments.number("target", {-1e300, 1e300, true, true}).value_or(options.gamma);
  options.resamples = arguments.integer("reps", 1'000, 1'000'000'000).value_or(options.resamples);
  options.resample_tasks = arguments.has("task-bootstrap");
  if (arguments.value("method") == "basic") options.method = variance::BootstrapMethod::basic;
  if (arguments.value("method") == "bca") options.method = variance::BootstrapMethod::bca;
  return options;
}

void refuse_foreign(const Arguments& arguments, const TableChoice& choice) {
  refuse_options(arguments,
                 {"test", "bayes", "aso", "adjust", "gamma", "sides", "interval", "overlap", "rope", "rho", "tau",
                  "resolution", "task"},
                 {.problem = "does not apply to --aggregate"});
  const std::string what = *arguments.value("aggregate");
  if (what == "gap" && choice.direction == Direction::lower)
    refuse_aggregate("--aggregate gap", "measures how far scores are below a target, so higher scores must be better");
  if (what == "profile" && (arguments.has("require") || arguments.has("margin")))
    refuse_aggregate(arguments.has("require") ? "--require" : "--margin", "a performance profile has no verdict");
}

void describe(AggregateReport& report, const TasksOfVariants& all) {
  report.tasks = all.tasks.size();
  report.min_runs = report.max_runs = all.scores.front().tasks.front().size();
  for (const auto& variant : all.scores)
    for (const auto& task : variant.tasks) {
      report.min_runs = std::min(report.min_runs, task.size());
      report.max_runs = std::max(report.max_runs, task.size());
    }
  report.paired = all.paired;
  if (report.min_runs < 2 && !(report.task_bootstrap && report.tasks > 1))
    throw Error({.exit = Exit::usage,
                 .code = "scores.too_few",
                 .field = "runs",
                 .value = "1",
                 .problem = "for some task: one run says nothing about how runs vary",
                 .allowed = "at least 2 runs for each task",
                 .help = report.tasks > 1 ? "--task-bootstrap resamples the tasks, for a claim about new tasks" : ""});
  if (report.min_runs < 10)
    report.notes.push_back(
        "fewer than ten runs per task: percentile intervals are too narrow (their coverage is 78 % at three runs and "
        "90 % at ten, for a nominal 95 %)");
  if (report.task_bootstrap && report.aggregate != "profile")
    report.notes.emplace_back(
        "the exchange of whole tasks keeps its level where tasks differ as far one way as the other; where a few tasks "
        "hold most of the difference, equal means are called BETTER or WORSE too often (lognormal differences, ten "
        "tasks: 3 to 15 % of studies instead of 2.5 %, the more the less runs vary)");
  if (report.aggregate == "iqm" && report.tasks * report.max_runs < 4)
    report.notes.emplace_back("fewer than four scores: nothing is trimmed, so this is the mean");
}

/// The baseline, the candidate if one is named, then the others by name, whatever the order of the file.
std::vector<std::size_t> shown_order(const Arguments& arguments, const ScoreNames& names) {
  std::vector<std::size_t> order(names.names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto first = [&](const char* option) {
    return arguments.has(option) ? place_of_variant(names, std::string("--") + option, *arguments.value(option))
                                 : names.names.size();
  };
  const std::size_t candidate = first("candidate"), named = first("baseline");
  const std::size_t baseline = named < order.size() ? named : candidate == 0 && order.size() > 1 ? 1 : 0;
  const auto rank = [&](std::size_t v) { return v == baseline ? 0 : v == candidate ? 1 : 2; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : by_number_and_name(names.names[a], names.names[b]);
  });
  return order;
}

/// The two named variants, or each other variant against the named (else the first) baseline.
void add_differences(Aggregator& aggregator, AggregateReport& report, const Arguments& arguments,
                     const ScoreNames& names, const std::vector<std::size_t>& order) {
  if (names.names.size() < 2 || report.aggregate == "profile") return;
  if (names.names.size() == 2 || arguments.has("candidate")) {
    const Sides sides = sides_of(names, arguments);
    return aggregator.add_difference(sides.candidate, sides.baseline, report.alpha);
  }
  const double candidates = static_cast<double>(names.names.size() - 1);
  for (std::size_t i = 1; i < order.size(); ++i)
    aggregator.add_difference(order[i], order.front(), report.alpha / candidates);
  report.notes.push_back("differences for " + counted(std::ssize(names.names) - 1, "candidate") +
                         ": intervals at level 1 - alpha / " + std::to_string(names.names.size() - 1) +
                         " (Bonferroni)");
}

Exit exit_of_differences(const AggregateReport& report, Requirement requirement) {
  Exit exit = Exit::ok;
  for (const auto& difference : report.differences) {
    const Exit one = exit_for(difference.status, {}, requirement);
    if (one == Exit::different || exit == Exit::ok) exit = one;
  }
  return exit;
}

}  // namespace

AggregateReport aggregated(const Arguments& arguments, const ScoreTable& table, const TableChoice& choice,
                           const std::string& aggregate, std::uint64_t root) {
  const Within within = arguments.value("within") == "median" ? Within::median : Within::mean;
  const auto all = tasks_of_variants(task_slices(table, choice.metric, within), failure_given(arguments));
  const AggregateOptions options = options_from(arguments);
  AggregateReport report{.aggregate = aggregate,
                         .metric = choice.metric,
                         .direction = choice.direction,
                         .alpha = options.alpha,
                         .task_bootstrap = options.resample_tasks,
                         .root = root,
                         .notes = table.notes};
  report.notes.insert(report.notes.end(), all.notes.begin(), all.notes.end());
  describe(report, all);
  const ScoreNames names{table.name, all.names};
  if (aggregate == "poi" && names.names.size() < 2)
    refuse_aggregate("--aggregate poi", "compares two variants, but " + table.name + " has only one");
  if (arguments.has("require") && names.names.size() < 2)
    refuse_aggregate("--require", "needs two variants, but " + table.name + " has only one");
  Aggregator aggregator(report, all, options, arguments.number("margin", {0, 1e300, true, true}));
  const auto order = shown_order(arguments, names);
  if (aggregate != "poi")
    for (const std::size_t v : order) aggregator.add_variant(v);
  add_differences(aggregator, report, arguments, names, order);
  return report;
}

Exit compare_aggregates(const Arguments& arguments, const ScoreTable& table, const TableChoice& choice) {
  refuse_foreign(arguments, choice);
  const auto report = aggregated(arguments, table, choice, *arguments.value("aggregate"),
                                 arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed());
  if (arguments.has("json"))
    print_json(aggregate_document(report));
  else
    std::cout << aggregate_page(report);
  return exit_of_differences(report, requirement_from(arguments.value("require")));
}

}  // namespace retrial::harness::inline scores
