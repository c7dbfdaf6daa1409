#pragma once

#include <vector>

#include "variance/bootstrap/aggregate.hpp"

/// Intervals of aggregates from resamples; for BCa (Efron 1987), the statistic without each run of each task in turn.
/// For .cpp files of this folder.
namespace retrial::variance::inline bootstrap {

using LeftOut = std::vector<std::vector<double>>;  ///< [task][run]

/// aggregate() without each run in turn, O(runs log runs + runs * tasks) in all; for a task of one run, the aggregate
/// itself, which has no weight in the acceleration.
[[nodiscard]] LeftOut left_out_aggregates(const TaskScores& scores, Aggregate which, double gamma);
/// probability_of_improvement() without each run: the candidate's tasks, then the baseline's; one row per task for
/// pairs.
[[nodiscard]] LeftOut left_out_improvements(const TaskScores& candidate, const TaskScores& baseline, bool paired);

/// Intervals of resampled aggregates by the method of the options; sets the name of the method.
[[nodiscard]] Estimate stratified_interval(std::vector<double> resampled, double point, double acceleration,
                                           const AggregateOptions& options);
[[nodiscard]] Estimate stratified_interval(const ExactLaw& law, double point, double acceleration,
                                           const AggregateOptions& options);
/// InvalidInput{method} for BCa of resampled tasks: leaving out a run says nothing about how tasks vary.
void require_method(const AggregateOptions& options);

}  // namespace retrial::variance::inline bootstrap
