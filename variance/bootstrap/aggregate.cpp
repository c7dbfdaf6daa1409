#include "variance/bootstrap/aggregate.hpp"

#include <algorithm>
#include <string>

#include "variance/numbers/check.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline bootstrap {
namespace {

constexpr AggregateRow aggregate_rows[] = {
    {Aggregate::mean, "mean", "mean over tasks of each task's mean"},
    {Aggregate::median, "median", "median over tasks of each task's mean"},
    {Aggregate::iqm, "iqm", "mean of the middle half of all scores"},
    {Aggregate::optimality_gap, "gap", "how far the scores stay below gamma"},
};

std::vector<double> task_means(const TaskScores& scores) {
  require_tasks(scores);
  std::vector<double> means;
  for (const auto& task : scores.tasks) means.push_back(*mean(task));
  return means;
}

std::vector<double> pooled_scores(const TaskScores& scores) {
  require_tasks(scores);
  std::vector<double> all;
  for (const auto& task : scores.tasks) all.insert(all.end(), task.begin(), task.end());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

void require_tasks(const TaskScores& scores) {
  require_at_least("tasks", static_cast<std::int64_t>(scores.tasks.size()), 1);
  for (std::size_t m = 0; m < scores.tasks.size(); ++m) {
    const std::string field = "tasks[" + std::to_string(m) + "]";
    require_at_least(field.c_str(), static_cast<std::int64_t>(scores.tasks[m].size()), 1);
    require_finite(field, scores.tasks[m]);
  }
}

double task_mean(const TaskScores& scores) {
  return *mean(task_means(scores));
}

double task_median(const TaskScores& scores) {
  return *median(task_means(scores));
}

InterquartileMean iqm(const TaskScores& scores) {
  const auto all = pooled_scores(scores);
  const std::size_t cut = all.size() / 4;
  return {*mean(std::span(all).subspan(cut, all.size() - 2 * cut)), all.size() < 4};
}

double optimality_gap(const TaskScores& scores, double gamma) {
  auto all = pooled_scores(scores);
  for (double& x : all) x = std::min(x, gamma);
  return gamma - *mean(all);
}

double probability_of_improvement(const TaskScores& x, const TaskScores& y) {
  require_tasks(x);
  require_tasks(y);
  if (x.tasks.size() != y.tasks.size())
    throw InvalidInput("tasks", std::to_string(y.tasks.size()),
                       "as many as the candidate's " + std::to_string(x.tasks.size()));
  std::vector<double> shares;
  for (std::size_t m = 0; m < x.tasks.size(); ++m) {
    std::int64_t doubled = 0;
    std::vector<double> below = y.tasks[m];
    std::sort(below.begin(), below.end());
    for (const double score : x.tasks[m])
      doubled += (std::ranges::lower_bound(below, score) - below.begin()) +
                 (std::ranges::upper_bound(below, score) - below.begin());
    shares.push_back(static_cast<double>(doubled) / (2.0 * static_cast<double>(below.size() * x.tasks[m].size())));
  }
  return *mean(shares);
}

double performance_profile(const TaskScores& scores, double tau) {
  require_tasks(scores);
  std::vector<double> shares;
  for (const auto& task : scores.tasks)
    shares.push_back(static_cast<double>(std::ranges::count_if(task, [&](double x) { return x > tau; })) /
                     static_cast<double>(task.size()));
  return *mean(shares);
}

std::span<const AggregateRow> all_aggregates() {
  return aggregate_rows;
}

double aggregate(const TaskScores& scores, Aggregate which, double gamma) {
  switch (which) {
    case Aggregate::mean:
      return task_mean(scores);
    case Aggregate::median:
      return task_median(scores);
    case Aggregate::iqm:
      return iqm(scores).value;
    case Aggregate::optimality_gap:
      return optimality_gap(scores, gamma);
  }
  throw InvalidInput("aggregate", std::to_string(static_cast<int>(which)), "a known aggregate");
}

std::vector<double> default_taus(const TaskScores& scores) {
  const auto all = pooled_scores(scores);
  std::vector<double> taus(101);
  for (std::size_t i = 0; i < taus.size(); ++i)
    taus[i] = all.front() + (all.back() - all.front()) * static_cast<double>(i) / 100.0;
  return taus;
}

}  // namespace retrial::variance::inline bootstrap
