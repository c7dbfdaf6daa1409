#pragma once

#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/stored/stored_study.hpp"

namespace retrial::harness::inline stored {

/// Scores on different images say nothing of what was done to them: Error{incomparable} with both digests where the
/// trials of two variants have different data. A variant without trials has none to differ in. Of a plan with the
/// bodies of its trials, and of a store's, of which two are read.
void demand_same_data(const std::vector<results::PlanEntry>& plan, const std::string& baseline,
                      const std::string& candidate);
void demand_same_data(const results::Store& store, const StudyView& study, const std::string& baseline,
                      const std::string& candidate);

/// What whoever starts a study may not have meant: two variants that read the same values of their keys, and two that
/// are to be compared and cannot be, as their data differ. A sentence each; two equal variants are allowed, as a
/// control of the rule itself.
[[nodiscard]] std::vector<std::string> variant_remarks(const Study& study, const Plan& plan);

}  // namespace retrial::harness::inline stored
