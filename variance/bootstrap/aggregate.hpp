#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "variance/bootstrap/bootstrap.hpp"
#include "variance/numbers/estimate.hpp"

/// One number for many tasks (Agarwal et al. 2021): scores of several runs on each of several tasks, made comparable
/// beforehand, higher is better.
namespace retrial::variance::inline bootstrap {

struct TaskScores {
  std::vector<std::vector<double>> tasks;  ///< tasks[m][run]; tasks may have different numbers of runs
};
/// InvalidInput{tasks}, {tasks[m]}, {tasks[m][i]} without tasks, for a task without runs, for scores not finite.
void require_tasks(const TaskScores& scores);

/// Mean over tasks of the mean of a task.
[[nodiscard]] double task_mean(const TaskScores& scores);
/// Median over tasks of the mean of a task: half of the tasks may be at zero and it does not show.
[[nodiscard]] double task_median(const TaskScores& scores);
struct InterquartileMean {
  double value = 0.0;
  bool small_sample = false;  ///< fewer than four scores: nothing was cut, the value is the mean
};
/// Mean of all scores without the floor(n / 4) lowest and highest; no fractional weights.
[[nodiscard]] InterquartileMean iqm(const TaskScores& scores);
/// gamma - mean of min(score, gamma): how far the scores stay below `gamma`.
[[nodiscard]] double optimality_gap(const TaskScores& scores, double gamma = 1.0);
/// Mean over tasks of the share of pairs of runs that x wins over y, ties (equal scores) one half. InvalidInput{tasks}
/// unless both have the same number of tasks.
[[nodiscard]] double probability_of_improvement(const TaskScores& x, const TaskScores& y);
/// Mean over tasks of the share of runs with a score above tau. The area under it is the mean of scores from 0 up.
[[nodiscard]] double performance_profile(const TaskScores& scores, double tau);

enum class Aggregate { mean, median, iqm, optimality_gap };
struct AggregateRow {
  Aggregate aggregate;
  std::string_view name, meaning;
};
[[nodiscard]] std::span<const AggregateRow> all_aggregates();
[[nodiscard]] double aggregate(const TaskScores& scores, Aggregate which, double gamma = 1.0);

struct AggregateOptions {
  double alpha = 0.05;
  double gamma = 1.0;  ///< of the optimality gap
  std::int64_t resamples = 50'000;
  std::optional<std::uint64_t> key;  ///< resample r uses Stream(key, r); InvalidInput{seed} when needed and absent
  BootstrapMethod method = BootstrapMethod::percentile;  ///< bca: InvalidInput{method} with resample_tasks
  bool resample_tasks = false;                           ///< tasks are drawn too: a claim about further tasks
  bool paired = false;                                   ///< of differences: both variants take the same drawn runs
  std::int64_t enumerate_to = std::int64_t{1} << 17;     ///< most distinct resamples that are counted out
};
/// Percentile interval under runs drawn with replacement within each task. Exact ("exact stratified bootstrap": every
/// distinct resample with its probability) while there are few of them, else drawn, task after task. Percentile
/// intervals cover too little below ten runs a task: 78 % at three, 90 % at ten, for a nominal 95 %.
[[nodiscard]] Estimate aggregate_interval(const TaskScores& scores, Aggregate which, const AggregateOptions& options);
/// The same of aggregate(candidate) - aggregate(baseline): what a comparison needs, since overlap of two intervals is
/// no test. With `paired` InvalidInput{tasks} unless every task has as many runs in both.
[[nodiscard]] Estimate aggregate_difference(const TaskScores& candidate, const TaskScores& baseline, Aggregate which,
                                            const AggregateOptions& options);
/// The same of the probability of improvement. O(runs) a resample: how many baseline runs lie below a candidate's score
/// depends on counts of drawn ranks alone.
[[nodiscard]] Estimate improvement_interval(const TaskScores& candidate, const TaskScores& baseline,
                                            const AggregateOptions& options);
/// Pointwise percentile intervals of the profile on a grid of thresholds (InvalidInput{method} for others).
[[nodiscard]] std::vector<Estimate> profile_intervals(const TaskScores& scores, std::span<const double> taus,
                                                      const AggregateOptions& options);
/// 101 equal steps over the range of the scores.
[[nodiscard]] std::vector<double> default_taus(const TaskScores& scores);

}  // namespace retrial::variance::inline bootstrap
