#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/scores/aggregates.hpp"
#include "harness/scores/selection/task_scores.hpp"
#include "variance/bootstrap/aggregate.hpp"

namespace retrial::harness::inline scores {

/// Fills the report with estimates for each variant and for pairs of variants. Draws are keyed by the names under the
/// report's root seed.
class Aggregator {
 public:
  Aggregator(AggregateReport& report, const TasksOfVariants& all, const variance::AggregateOptions& options,
             const std::optional<double>& margin);
  void add_variant(std::size_t v);
  /// `alpha`: level for this candidate, after the correction for several.
  void add_difference(std::size_t candidate, std::size_t baseline, double alpha);

 private:
  [[nodiscard]] variance::AggregateOptions drawn_for(const std::string& subject) const;
  void profile(VariantAggregate& one, std::size_t v, const variance::AggregateOptions& options);

  AggregateReport& report_;
  const TasksOfVariants& all_;
  std::vector<variance::TaskScores> scores_;  ///< higher is better
  variance::AggregateOptions options_;
  std::optional<double> margin_;
};

}  // namespace retrial::harness::inline scores
