#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline stored {

/// The final value of every metric of one attempt.
using FinalValues = std::map<std::string, double>;
[[nodiscard]] FinalValues final_values(const results::Store& store, const results::TrialRow& row);

/// One metric over the finished trials of one variant. Non-finite values are counted and left out of the rest. A
/// statistic that needs a larger sample is absent.
struct MetricSummary {
  results::MetricDef def;
  std::string variant;
  std::int64_t n = 0, non_finite = 0;
  std::int64_t at_least = 0, at_most = 0;  ///< values that are only bounds
  std::optional<double> mean, sd, median, min, max;
};

/// Every metric with a final value, without those that say which values are bounds: the judged one first, then outcomes
/// before costs, each by name. Variants in the study's order. `only` restricts to one metric: Error{usage} with the
/// nearest name when no trial has it.
[[nodiscard]] std::vector<MetricSummary> summarise(const results::Store& store, const StudyView& study,
                                                   const std::vector<PlannedTrial>& trials,
                                                   const std::optional<std::string>& only);

/// A row per metric and variant.
[[nodiscard]] report::Table metrics_table(const std::vector<MetricSummary>& summaries);
/// Derived numbers with 10 significant digits, minimum and maximum as stored.
[[nodiscard]] Json json_of(const std::vector<MetricSummary>& summaries);

/// The stored definition, or Error{usage} naming --metric, the metrics of the store and the nearest name.
[[nodiscard]] results::MetricDef metric_named(const std::vector<results::MetricDef>& defs, const std::string& name);

}  // namespace retrial::harness::inline stored
