#pragma once

#include "harness/judge/design/comparison.hpp"

namespace retrial::harness::inline judge::inline design {

/// Sets comparison.violation where the plan voids the declared design: `one-cluster` when no source varies, `order`
/// when a sequential plan does not go pair by pair, `design-mismatch` when a sequential design is asked about a claim
/// other than its own.
void find_violation(const StudyView& study, Comparison& comparison);
/// Sets `retried` where a trial was run again more often than the design allows.
void find_retries(Comparison& comparison);
/// Counts a trial of the candidate or of the baseline.
void count_retries(const PlannedTrial& trial, bool of_candidate, Comparison& comparison);
/// Sets it, if it has none yet.
void violate(Comparison& comparison, variance::InvalidReason reason, const std::string& detail);

/// Error{incomparable} when the comparison has a violation, before runs whose verdict is already void.
void refuse_violation(const std::string& study, const Comparison& declared);

}  // namespace retrial::harness::inline judge::inline design
