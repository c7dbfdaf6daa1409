#include <algorithm>

#include "variance/many/aggregate_verdict.hpp"
#include "variance/many/hierarchical.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/offers/offer_judges.hpp"

namespace retrial::variance::inline offers::offer_judges {
namespace {

constexpr double task_distance = 3.0;  // between the means of two tasks, in standard deviations of a run

TaskScores tasks_of(const OfferCell& cell, std::int64_t runs, double shift, Stream& draws) {
  TaskScores out;
  for (std::int64_t m = 0; m < cell.many; ++m) {
    out.tasks.emplace_back();
    for (std::int64_t i = 0; i < runs; ++i)
      out.tasks.back().push_back(task_distance * static_cast<double>(m) + null_score(cell.scores, draws) + shift);
  }
  return out;
}

/// The candidate is better on some tasks and worse on others, on average by nothing.
void let_tasks_differ(TaskScores& candidate, const OfferCell& cell, Stream& draws) {
  if (cell.task_effects == 0.0) return;
  for (auto& task : candidate.tasks) {
    const double effect = cell.task_effects * null_score(cell.task_model, draws);
    for (double& score : task) score += effect;
  }
}

struct TwoVariants {
  TaskScores candidate, baseline;
};

TwoVariants variants_over_tasks(const OfferCell& cell, Stream& draws) {
  TwoVariants out{.candidate = tasks_of(cell, cell.runs, shift_of(cell), draws), .baseline = {}};
  out.baseline = tasks_of(cell, cell.baseline_runs, 0.0, draws);
  let_tasks_differ(out.candidate, cell, draws);
  return out;
}

/// Differences of paired runs of each task, and the model's answer about the next one.
OfferJudge hierarchical_judge(const OfferCell& cell, const AuditSettings& s) {
  const double rope = cell.rope * row_of(cell.scores).sd;
  return [cell, rope, alpha = s.levels.alpha](Stream& draws, std::uint64_t key) {
    const auto [candidate, baseline] = variants_over_tasks(cell, draws);
    auto differences = candidate.tasks;
    for (std::size_t m = 0; m < differences.size(); ++m) {
      for (std::size_t i = 0; i < differences[m].size(); ++i) differences[m][i] -= baseline.tasks[m][i];
      std::ranges::sort(differences[m]);
    }
    return status_of(hierarchical(differences, {.rope = rope, .key = derive(key, "hierarchical")}), 1.0 - alpha);
  };
}

}  // namespace

OfferJudge aggregate_judge(const OfferCell& cell, const AuditSettings& s) {
  if (cell.offer.name == hierarchical_name) return hierarchical_judge(cell, s);
  const std::string_view name = cell.aggregate.empty() ? std::string_view(cell.offer.name) : cell.aggregate;
  const auto row = std::ranges::find(all_aggregates(), name, &AggregateRow::name);
  const TaskStatistic which = row == all_aggregates().end() ? TaskStatistic() : TaskStatistic(row->aggregate);
  AggregateOptions options{.alpha = s.levels.alpha, .resamples = s.resamples, .key = std::nullopt};
  options.paired = cell.paired;
  options.resample_tasks = cell.offer.name == task_bootstrap_name;
  options.enumerate_to = s.resamples;  // enumerates where that is cheaper than the draws
  std::optional<double> margin;
  if (cell.error == FalseVerdict::equivalent) margin = shift_of(cell);
  return [cell, which, options, margin](Stream& draws, std::uint64_t key) {
    const auto [candidate, baseline] = variants_over_tasks(cell, draws);
    AggregateOptions keyed = options;
    keyed.key = key;
    return judge_aggregates(candidate, baseline, which, keyed, margin).status;
  };
}

}  // namespace retrial::variance::inline offers::offer_judges
