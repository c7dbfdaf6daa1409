#pragma once

#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/stored/stored_study.hpp"

namespace retrial::harness::inline stored::inline likeness {

/// Scores on different images do not compare methods: Error{incomparable} with both digests where the trials of two
/// variants have different data. A variant without trials passes. For a plan with the bodies of its trials, and for a
/// stored study, of which two bodies are read.
void demand_same_data(const std::vector<results::PlanEntry>& plan, const std::string& baseline,
                      const std::string& candidate);
void demand_same_data(const results::Store& store, const StudyView& study, const std::string& baseline,
                      const std::string& candidate);

/// Likely mistakes in a study, a sentence each: two variants that read equal values of their keys (allowed, as a
/// control of the rule), a variant without a seed, and two variants that are to be compared although their data differ.
[[nodiscard]] std::vector<std::string> variant_remarks(const Study& study, const Plan& plan);

}  // namespace retrial::harness::inline stored::inline likeness
