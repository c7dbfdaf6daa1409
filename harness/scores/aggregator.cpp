#include "harness/scores/aggregator.hpp"

#include <algorithm>
#include <utility>

#include "variance/many/aggregate_verdict.hpp"
#include "variance/random/rng.hpp"

namespace retrial::harness::inline scores {
namespace {

using variance::Aggregate;
using variance::AggregateOptions;
using variance::Direction;
using variance::Estimate;

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

}  // namespace

Aggregator::Aggregator(AggregateReport& report, const TasksOfVariants& all, const AggregateOptions& options,
                       const std::optional<double>& margin)
    : report_(report), all_(all), scores_(oriented(all, report.direction)), options_(options), margin_(margin) {}

void Aggregator::add_variant(std::size_t v) {
  VariantAggregate one{.variant = all_.names[v]};
  const AggregateOptions options = drawn_for(all_.names[v]);
  if (report_.aggregate == "profile")
    profile(one, v, options);
  else
    one.estimate = turned(variance::aggregate_interval(scores_[v], aggregate_named(report_.aggregate), options),
                          report_.direction);
  report_.variants.push_back(std::move(one));
}

void Aggregator::add_difference(std::size_t candidate, std::size_t baseline, double alpha) {
  AggregateOptions options = drawn_for(all_.names[candidate] + "|" + all_.names[baseline]);
  options.alpha = alpha;
  const bool share = report_.aggregate == "poi";
  const auto judged = variance::judge_aggregates(
      scores_[candidate], scores_[baseline],
      share ? variance::TaskStatistic() : variance::TaskStatistic(aggregate_named(report_.aggregate)), options,
      margin_);
  report_.differences.push_back({.candidate = all_.names[candidate],
                                 .baseline = all_.names[baseline],
                                 .estimate = share ? judged.difference : turned(judged.difference, report_.direction),
                                 .p_better = judged.p_better,
                                 .p_worse = judged.p_worse,
                                 .level = alpha / 2.0,
                                 .drawn = !judged.exact,
                                 .status = judged.status});
}

AggregateOptions Aggregator::drawn_for(const std::string& subject) const {
  AggregateOptions options = options_;
  const std::string comparison = "comparison:" + subject;
  options.key = variance::derive(variance::derive(report_.root, std::string_view(comparison)), "bootstrap");
  options.paired = all_.paired;
  return options;
}

/// Thresholds over the range of all variants, so that their profiles can be overlaid.
void Aggregator::profile(VariantAggregate& one, std::size_t v, const AggregateOptions& options) {
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

}  // namespace retrial::harness::inline scores
