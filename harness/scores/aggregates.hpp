#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/scores/compare_table.hpp"
#include "harness/scores/selection/task_scores.hpp"
#include "results/json/json_fwd.hpp"
#include "variance/bootstrap/aggregate.hpp"
#include "variance/comparisons/status.hpp"

namespace retrial::harness::inline scores {

/// The aggregate of one variant.
struct VariantAggregate {
  std::string variant;
  std::optional<variance::Estimate> estimate;  ///< absent for profiles
  std::vector<double> taus;                    ///< profiles only: thresholds
  std::vector<variance::Estimate> profile;
};
/// Candidate against baseline. Comparisons use this, since the overlap of two intervals is not a test.
struct AggregateDifference {
  std::string candidate, baseline;
  variance::Estimate estimate;
  double p_better = 1.0, p_worse = 1.0;  ///< one-sided, by exchanged labels
  double level = 0.025;                  ///< BETTER needs p_better of at most this, and the interval on its side
  bool drawn = false;                    ///< the labels were drawn
  variance::Status status = variance::Status::inconclusive;
};
struct AggregateReport {
  std::string aggregate;  ///< as in --aggregate
  std::string metric;
  variance::Direction direction = variance::Direction::higher;
  double alpha = 0.05;
  std::size_t tasks = 0, min_runs = 0, max_runs = 0;
  bool paired = false, task_bootstrap = false;
  std::uint64_t root = 0;
  std::vector<VariantAggregate> variants;
  std::vector<AggregateDifference> differences;
  std::vector<std::string> notes;
};

/// Computes one aggregate (a choice of --aggregate) with the settings of the options: estimates of every variant, and
/// differences of the named two or of every other variant from the baseline. Error{usage} for scores that it cannot
/// have.
[[nodiscard]] AggregateReport aggregated(const Arguments& arguments, const ScoreTable& table, const TableChoice& choice,
                                         const std::string& aggregate, std::uint64_t root);

/// Schema retrial.aggregate/1. With one difference, its test, estimate, interval, level, method, n and verdict are also
/// at the top level.
[[nodiscard]] Json aggregate_document(const AggregateReport& report);
[[nodiscard]] std::string aggregate_page(const AggregateReport& report);
/// "interquartile mean: the middle half of all scores".
[[nodiscard]] std::string aggregate_title(const std::string& aggregate);
/// "3 runs", "3 to 5 runs".
[[nodiscard]] std::string runs_per_task(const AggregateReport& report);

}  // namespace retrial::harness::inline scores
