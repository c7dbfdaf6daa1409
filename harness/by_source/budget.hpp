#pragma once

#include <optional>

#include "harness/by_source/study.hpp"
#include "variance/designs/power.hpp"

namespace retrial::harness::inline by_source {

/// A budget to spend on searches and runs, or a standard error to reach.
struct BudgetChoice {
  std::optional<double> budget, se;  ///< in trainings; in the unit of the metric
};

/// Computed from the components between and within the searches of one variant. Error{incomparable} naming the option
/// where runs do not form groups that share one search.
struct BudgetAnswer {
  std::optional<variance::BudgetPlan> budget;
  std::optional<variance::Allocation> se;
};
[[nodiscard]] BudgetAnswer budget_answer(const SourceStudy& study, const VariantSources& variant,
                                         const BudgetChoice& choice);

}  // namespace retrial::harness::inline by_source
