#include "harness/scores/aggregates.hpp"

#include <algorithm>
#include <iostream>

#include "harness/entropy.hpp"
#include "harness/output.hpp"
#include "harness/score_test.hpp"
#include "harness/scores/compare_table.hpp"
#include "harness/scores/options.hpp"
#include "results/text.hpp"
#include "variance/rng.hpp"

namespace retrial::harness {
namespace {

using variance::Aggregate;
using variance::AggregateOptions;
using variance::Direction;
using variance::Estimate;
using variance::Status;

[[noreturn]] void refuse(const std::string& field, const std::string& problem, const std::string& help = "") {
  throw Error({.code = "usage.option_value", .field = field, .problem = problem, .help = help});
}

Aggregate aggregate_named(const std::string& name) {
  return std::ranges::find(variance::all_aggregates(), name, &variance::AggregateRow::name)->aggregate;
}

/// Higher is better from here on.
std::vector<variance::TaskScores> oriented(const TasksOfVariants& all, Direction direction) {
  auto scores = all.scores;
  if (direction == Direction::lower)
    for (auto& variant : scores)
      for (auto& task : variant.tasks)
        for (double& score : task) score = -score;
  return scores;
}

/// Back into the unit of the scores.
Estimate turned(Estimate estimate, Direction direction) {
  if (direction != Direction::lower) return estimate;
  estimate.point = 0.0 - estimate.point;
  std::swap(estimate.low, estimate.high);
  if (estimate.low) estimate.low = 0.0 - *estimate.low;
  if (estimate.high) estimate.high = 0.0 - *estimate.high;
  return estimate;
}

/// By the interval, which must lie on one side of `centre`: 0 of a difference, one half of a share.
Status status_of(const Estimate& oriented_estimate, double centre, const std::optional<double>& margin) {
  const double low = *oriented_estimate.low - centre, high = *oriented_estimate.high - centre;
  if (low > 0.0) return Status::better;
  if (high < 0.0) return Status::worse;
  return margin && low > -*margin && high < *margin ? Status::equivalent : Status::inconclusive;
}

class Aggregator {
 public:
  Aggregator(AggregateReport& report, const TasksOfVariants& all, const AggregateOptions& options,
             const std::optional<double>& margin)
      : report_(report), all_(all), scores_(oriented(all, report.direction)), options_(options), margin_(margin) {}

  void add_variant(std::size_t v) {
    VariantAggregate one{.variant = all_.names[v]};
    const AggregateOptions options = drawn_for(all_.names[v]);
    if (report_.aggregate == "profile")
      profile(one, v, options);
    else
      one.estimate = turned(variance::aggregate_interval(scores_[v], aggregate_named(report_.aggregate), options),
                            report_.direction);
    report_.variants.push_back(std::move(one));
  }

  /// `alpha`: of this one of several candidates.
  void add_difference(std::size_t candidate, std::size_t baseline, double alpha) {
    AggregateOptions options = drawn_for(all_.names[candidate] + "|" + all_.names[baseline]);
    options.alpha = alpha;
    const bool share = report_.aggregate == "poi";
    const Estimate found = share ? variance::improvement_interval(scores_[candidate], scores_[baseline], options)
                                 : variance::aggregate_difference(scores_[candidate], scores_[baseline],
                                                                  aggregate_named(report_.aggregate), options);
    // A gap is what is missing: the smaller one is the better.
    Estimate judged = found;
    if (report_.aggregate == "gap") judged = turned(found, Direction::lower);
    report_.differences.push_back({.candidate = all_.names[candidate],
                                   .baseline = all_.names[baseline],
                                   .estimate = share ? found : turned(found, report_.direction),
                                   .status = status_of(judged, share ? 0.5 : 0.0, margin_)});
  }

 private:
  AggregateOptions drawn_for(const std::string& subject) const {
    AggregateOptions options = options_;
    const std::string comparison = "comparison:" + subject;
    options.key = variance::derive(variance::derive(report_.root, std::string_view(comparison)), "bootstrap");
    options.paired = all_.paired;
    return options;
  }

  /// Thresholds over the range of all variants, so that profiles can be laid over each other.
  void profile(VariantAggregate& one, std::size_t v, const AggregateOptions& options) {
    variance::TaskScores pooled;
    for (const auto& variant : scores_)
      pooled.tasks.insert(pooled.tasks.end(), variant.tasks.begin(), variant.tasks.end());
    const auto taus = variance::default_taus(pooled);
    one.profile = variance::profile_intervals(scores_[v], taus, options);
    for (const double tau : taus) one.taus.push_back(report_.direction == Direction::lower ? -tau : tau);
    if (report_.direction != Direction::lower) return;
    std::ranges::reverse(one.taus);
    std::ranges::reverse(one.profile);
  }

  AggregateReport& report_;
  const TasksOfVariants& all_;
  std::vector<variance::TaskScores> scores_;
  AggregateOptions options_;
  std::optional<double> margin_;
};

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
  for (const char* option : {"test", "bayes", "aso", "adjust", "gamma", "sides", "interval", "overlap", "rope", "rho",
                             "tau", "resolution", "task"})
    if (arguments.has(option)) refuse(std::string("--") + option, "has no meaning for --aggregate");
  const std::string what = *arguments.value("aggregate");
  if (what == "gap" && choice.direction == Direction::lower)
    refuse("--aggregate gap", "is how far scores stay below a target, which needs higher scores to be better");
  if (what == "profile" && (arguments.has("require") || arguments.has("margin")))
    refuse(arguments.has("require") ? "--require" : "--margin", "a profile is a picture and has no verdict");
}

void describe(AggregateReport& report, const TasksOfVariants& all) {
  report.tasks = all.tasks.size();
  report.fewest_runs = report.most_runs = all.scores.front().tasks.front().size();
  for (const auto& variant : all.scores)
    for (const auto& task : variant.tasks) {
      report.fewest_runs = std::min(report.fewest_runs, task.size());
      report.most_runs = std::max(report.most_runs, task.size());
    }
  report.paired = all.paired;
  if (report.fewest_runs < 2 && !(report.task_bootstrap && report.tasks > 1))
    throw Error(
        {.exit = Exit::usage,
         .code = "scores.too_few",
         .field = "runs",
         .value = "1",
         .problem = "of some task: resampling one run says nothing of how runs vary",
         .allowed = "2 and more of every task",
         .help = report.tasks > 1 ? "--task-bootstrap resamples the tasks, for a claim about further tasks" : ""});
  if (report.fewest_runs < 10)
    report.notes.push_back(
        "fewer than ten runs a task: percentile intervals cover too little (78 % at three runs, "
        "90 % at ten, for a nominal 95 %)");
  if (report.aggregate == "iqm" && report.tasks * report.most_runs < 4)
    report.notes.emplace_back("fewer than four scores: nothing was cut off, this is the mean");
}

/// Two named ones, or every other variant against the first or the named baseline.
void add_differences(Aggregator& aggregator, AggregateReport& report, const Arguments& arguments,
                     const ScoreNames& names) {
  if (names.names.size() < 2 || report.aggregate == "profile") return;
  if (names.names.size() == 2 || arguments.has("candidate")) {
    const Sides sides = sides_of(names, arguments);
    return aggregator.add_difference(sides.candidate, sides.baseline, report.alpha);
  }
  const std::size_t baseline =
      arguments.has("baseline") ? place_of_variant(names, "--baseline", *arguments.value("baseline")) : 0;
  const double candidates = static_cast<double>(names.names.size() - 1);
  for (std::size_t v = 0; v < names.names.size(); ++v)
    if (v != baseline) aggregator.add_difference(v, baseline, report.alpha / candidates);
  report.notes.push_back("differences of " + counted(std::ssize(names.names) - 1, "candidate") +
                         ": intervals of level 1 - alpha / " + std::to_string(names.names.size() - 1) +
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

Exit compare_aggregates(const Arguments& arguments, const ScoreTable& table, const TableChoice& choice) {
  refuse_foreign(arguments, choice);
  const Within within = arguments.value("within") == "median" ? Within::median : Within::mean;
  std::vector<Slice> slices;
  for (const std::string& task : table.tasks()) {
    Slice slice = slice_of(table, choice.metric, task, within);
    if (!slice.names.empty()) slices.push_back(std::move(slice));
  }
  const auto all = tasks_of_variants(slices, failure_given(arguments));
  const AggregateOptions options = options_from(arguments);
  AggregateReport report{.aggregate = *arguments.value("aggregate"),
                         .metric = choice.metric,
                         .direction = choice.direction,
                         .alpha = options.alpha,
                         .task_bootstrap = options.resample_tasks,
                         .root = arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed(),
                         .notes = table.notes};
  report.notes.insert(report.notes.end(), all.notes.begin(), all.notes.end());
  describe(report, all);
  const ScoreNames names{table.name, all.names};
  if (report.aggregate == "poi" && names.names.size() < 2)
    refuse("--aggregate poi", "compares two variants, and " + table.name + " holds one");
  if (arguments.has("require") && names.names.size() < 2)
    refuse("--require", "needs two variants, and " + table.name + " holds one");
  Aggregator aggregator(report, all, options, arguments.number("margin", {0, 1e300, true, true}));
  for (std::size_t v = 0; v < names.names.size() && report.aggregate != "poi"; ++v) aggregator.add_variant(v);
  add_differences(aggregator, report, arguments, names);
  if (arguments.has("json"))
    print_json(aggregate_document(report));
  else
    std::cout << aggregate_page(report);
  return exit_of_differences(report, requirement_from(arguments.value("require")));
}

}  // namespace retrial::harness
