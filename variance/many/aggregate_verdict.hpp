#pragma once

#include <optional>

#include "variance/bootstrap/aggregate.hpp"
#include "variance/comparisons/status.hpp"
#include "variance/numbers/estimate.hpp"

/// Two variants over several tasks: how far apart their aggregates are, and whether that is more than relabelled runs
/// show. A percentile interval of few runs is too short (see aggregate.hpp): by itself it calls 12 % of equal variants
/// with three runs BETTER, where 2.5 % was asked. So the verdict needs the exchange of labels too, which keeps its
/// level at every number of runs.
namespace retrial::variance::inline many {

/// The compared statistic: an aggregate, or the probability of improvement.
using TaskStatistic = std::optional<Aggregate>;

struct AggregateVerdict {
  /// aggregate_difference, or improvement_interval, of level 1 - alpha.
  Estimate difference;
  /// One-sided p values: the share of relabellings in which the candidate is at least as far ahead, behind. A
  /// relabelling exchanges the runs of one task; with `paired` the two runs of a pair; with `resample_tasks` all runs
  /// of a task.
  double p_better = 1.0, p_worse = 1.0;
  bool exact = true;  ///< all relabellings; false: drawn from the key, purpose "permutation"
  Status status = Status::inconclusive;
};

/// BETTER (WORSE) if the interval is on that side of "no difference" and p_better (p_worse) is at most alpha / 2, which
/// two variants of equal scores reach with probability alpha / 2 at most. EQUIVALENT if the interval is within the
/// margin and, for mean, median and interquartile mean, so say the relabellings of the scores shifted by the margin.
/// Scores: higher is better; a lower optimality gap is better. Draws at most 10,000 relabellings. InvalidInput as in
/// aggregate_difference.
[[nodiscard]] AggregateVerdict judge_aggregates(const TaskScores& candidate, const TaskScores& baseline,
                                                TaskStatistic which, const AggregateOptions& options,
                                                std::optional<double> margin = {});

}  // namespace retrial::variance::inline many
