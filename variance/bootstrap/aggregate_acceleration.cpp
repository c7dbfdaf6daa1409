#include "variance/bootstrap/aggregate_acceleration.hpp"

#include <algorithm>
#include <string>

#include "variance/numbers/error.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline bootstrap {
namespace {

/// Mean of a task without one of its runs; with a single run, the mean itself.
double mean_without(const std::vector<double>& task, double sum, double run) {
  return task.size() < 2 ? sum : (sum - run) / (size_of(task) - 1.0);
}

LeftOut of_task_means(const TaskScores& scores, bool take_median) {
  std::vector<double> means;
  for (const auto& task : scores.tasks) means.push_back(*mean(task));
  const double all = pairwise_sum(means), tasks = size_of(means);
  LeftOut result;
  for (std::size_t m = 0; m < means.size(); ++m) {
    const auto& task = scores.tasks[m];
    const double kept = means[m], sum = pairwise_sum(task);
    result.emplace_back();
    for (const double run : task) {
      const double without = mean_without(task, sum, run);
      means[m] = without;
      result.back().push_back(take_median ? *median(means) : (all - kept + without) / tasks);
    }
    means[m] = kept;
  }
  return result;
}

/// From one sorted list and its running sums: the middle half of all scores but one.
LeftOut of_middle_half(const TaskScores& scores) {
  std::vector<double> sorted;
  for (const auto& task : scores.tasks) sorted.insert(sorted.end(), task.begin(), task.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> before{0.0};
  for (const double x : sorted) before.push_back(before.back() + x);
  const std::size_t left = sorted.size() - 1, cut = left / 4, end = left - cut;
  const double all = iqm(scores).value;
  LeftOut result;
  for (const auto& task : scores.tasks) {
    result.emplace_back();
    for (const double run : task) {
      if (left == 0 || task.size() < 2) {
        result.back().push_back(all);
        continue;
      }
      const auto place = static_cast<std::size_t>(std::ranges::lower_bound(sorted, run) - sorted.begin());
      // Places after the run that is left out move up by one.
      const std::size_t from = cut + (place < cut ? 1 : 0), to = end + (place < end ? 1 : 0);
      const double sum = before[to] - before[from] - (place >= cut && place < end ? run : 0.0);
      result.back().push_back(sum / static_cast<double>(end - cut));
    }
  }
  return result;
}

LeftOut of_gap(const TaskScores& scores, double gamma) {
  double sum = 0.0, count = 0.0;
  for (const auto& task : scores.tasks)
    for (const double run : task) sum += std::min(run, gamma), count += 1.0;
  LeftOut result;
  for (const auto& task : scores.tasks) {
    result.emplace_back();
    for (const double run : task)
      result.back().push_back(task.size() < 2 ? gamma - sum / count
                                              : gamma - (sum - std::min(run, gamma)) / (count - 1.0));
  }
  return result;
}

/// Share of the others that each run beats; ties count as half.
double wins_over(double run, const std::vector<double>& sorted) {
  const auto below = std::ranges::lower_bound(sorted, run) - sorted.begin();
  const auto up_to = std::ranges::upper_bound(sorted, run) - sorted.begin();
  return static_cast<double>(below + up_to) / 2.0;
}

struct TaskWins {
  double share = 0.5;                       ///< over all pairs of runs
  std::vector<double> candidate, baseline;  ///< the share without each of their runs
};

TaskWins wins_of(std::vector<double> x, std::vector<double> y, bool paired) {
  const std::vector<double> runs_x = x, runs_y = y;
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  const double n = size_of(x), m = size_of(y);
  double all = 0.0;
  for (const double run : runs_x) all += wins_over(run, y);
  TaskWins result{.share = all / (n * m)};
  for (std::size_t i = 0; i < runs_x.size(); ++i) {
    double without = all - wins_over(runs_x[i], y);
    if (paired) {
      const double own = runs_x[i] > runs_y[i] ? 1.0 : runs_x[i] == runs_y[i] ? 0.5 : 0.0;
      without += own - (n - wins_over(runs_y[i], x));
      result.candidate.push_back(n < 2.0 ? result.share : without / ((n - 1.0) * (n - 1.0)));
    } else {
      result.candidate.push_back(n < 2.0 ? result.share : without / ((n - 1.0) * m));
    }
  }
  for (std::size_t j = 0; !paired && j < runs_y.size(); ++j)
    result.baseline.push_back(m < 2.0 ? result.share : (all - (n - wins_over(runs_y[j], x))) / (n * (m - 1.0)));
  return result;
}

}  // namespace

Estimate stratified_interval(std::vector<double> resampled, double point, double acceleration,
                             const AggregateOptions& options) {
  Estimate result =
      bootstrap_interval(resampled, point, acceleration, {.alpha = options.alpha, .method = options.method});
  result.method = "stratified " + result.method + ", " + std::to_string(options.resamples) + " resamples" +
                  (options.resample_tasks ? " of tasks and runs" : "");
  return result;
}

Estimate stratified_interval(const ExactLaw& law, double point, double acceleration, const AggregateOptions& options) {
  Estimate result = bootstrap_interval(law, point, acceleration, {.alpha = options.alpha, .method = options.method});
  result.method = options.method == BootstrapMethod::percentile ? "exact stratified bootstrap"
                                                                : "exact stratified " + result.method;
  return result;
}

void require_method(const AggregateOptions& options) {
  if (options.method == BootstrapMethod::bca && options.resample_tasks)
    throw InvalidInput("method", "bca", "percentile, basic: leaving out a run says nothing about how tasks vary");
}

LeftOut left_out_aggregates(const TaskScores& scores, Aggregate which, double gamma) {
  require_tasks(scores);
  if (which == Aggregate::iqm) return of_middle_half(scores);
  if (which == Aggregate::optimality_gap) return of_gap(scores, gamma);
  return of_task_means(scores, which == Aggregate::median);
}

LeftOut left_out_improvements(const TaskScores& candidate, const TaskScores& baseline, bool paired) {
  const double all = probability_of_improvement(candidate, baseline);
  const double tasks = static_cast<double>(candidate.tasks.size());
  LeftOut of_candidate, of_baseline;
  for (std::size_t m = 0; m < candidate.tasks.size(); ++m) {
    TaskWins wins = wins_of(candidate.tasks[m], baseline.tasks[m], paired);
    for (auto* side : {&wins.candidate, &wins.baseline})
      for (double& share : *side) share = all + (share - wins.share) / tasks;
    of_candidate.push_back(std::move(wins.candidate));
    if (!paired) of_baseline.push_back(std::move(wins.baseline));
  }
  of_candidate.insert(of_candidate.end(), of_baseline.begin(), of_baseline.end());
  return of_candidate;
}

}  // namespace retrial::variance::inline bootstrap
