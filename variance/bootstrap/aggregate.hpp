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

/// Mean over tasks of each task's mean.
[[nodiscard]] double task_mean(const TaskScores& scores);
/// Median over tasks of each task's mean: up to half of the tasks may be at zero without effect.
[[nodiscard]] double task_median(const TaskScores& scores);
struct InterquartileMean {
  double value = 0.0;
  bool small_sample = false;  ///< fewer than four scores: nothing was trimmed, the value is the mean
};
/// Mean of all scores without the floor(n / 4) lowest and highest; no fractional weights.
[[nodiscard]] InterquartileMean iqm(const TaskScores& scores);
/// gamma - mean of min(score, gamma): how far the scores are below `gamma`.
[[nodiscard]] double optimality_gap(const TaskScores& scores, double gamma = 1.0);
/// Mean over tasks of the share of pairs of runs that x wins over y; equal scores count as half. InvalidInput{tasks}
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
  double gamma = 1.0;  ///< threshold of the optimality gap
  std::int64_t resamples = 50'000;
  std::optional<std::uint64_t> key = {};  ///< resample r uses Stream(key, r); InvalidInput{seed} if needed and absent
  BootstrapMethod method = BootstrapMethod::percentile;  ///< bca: InvalidInput{method} with resample_tasks
  bool resample_tasks = false;                           ///< tasks are drawn too, for a claim about other tasks
  bool paired = false;                                   ///< differences only: both variants use the same drawn runs
  std::int64_t enumerate_to = std::int64_t{1} << 17;     ///< max distinct resamples that are enumerated
};
/// Percentile interval under runs drawn with replacement within each task. Exact ("exact stratified bootstrap": every
/// distinct resample with its probability) if there are few of them, else drawn task by task. Percentile intervals
/// cover too little below ten runs per task: 78 % at three, 90 % at ten, for a nominal 95 %.
[[nodiscard]] Estimate aggregate_interval(const TaskScores& scores, Aggregate which, const AggregateOptions& options);
/// The same for aggregate(candidate) - aggregate(baseline). A comparison needs this: overlap of two intervals is not a
/// test. With `paired` InvalidInput{tasks} unless every task has as many runs in both.
[[nodiscard]] Estimate aggregate_difference(const TaskScores& candidate, const TaskScores& baseline, Aggregate which,
                                            const AggregateOptions& options);
/// The same for the probability of improvement. O(runs) per resample: the number of baseline runs below a candidate's
/// score depends only on counts of drawn ranks.
[[nodiscard]] Estimate improvement_interval(const TaskScores& candidate, const TaskScores& baseline,
                                            const AggregateOptions& options);
/// Pointwise percentile intervals of the profile on a grid of thresholds (InvalidInput{method} for others).
[[nodiscard]] std::vector<Estimate> profile_intervals(const TaskScores& scores, std::span<const double> taus,
                                                      const AggregateOptions& options);
/// 101 equal steps over the range of the scores.
[[nodiscard]] std::vector<double> default_taus(const TaskScores& scores);

}  // namespace retrial::variance::inline bootstrap
