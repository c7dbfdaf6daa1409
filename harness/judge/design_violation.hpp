#pragma once

#include "harness/judge/comparison.hpp"
#include "harness/plan/plan.hpp"

namespace retrial::harness::inline judge {

/// True when an earlier study of the store planned the same trials with other claims, or with none: whoever claims
/// something after looking at the numbers has no error rate. When the trials of that study ran is not asked.
[[nodiscard]] bool claims_came_later(const results::Store& store, const StudyView& study);

/// Sets comparison.violation where the way in which a store came about voids what its design declared:
/// `order` when the plan does not go pair by pair; `design-mismatch` when a sequential design is asked about another
/// claim than its own, or was declared after these trials had been looked at under another one, or with more pairs;
/// `extended` when the same study had fewer pairs before, was looked at, and its family may not be extended. Studies
/// with a fixed design are checked for `extended` alone: theirs is one look, which nothing but an earlier one can
/// spoil.
void find_violation(const results::Store& store, const StudyView& study, Comparison& comparison);

/// Error{incomparable} when the comparison has a violation: nobody waits for runs whose end is known.
void refuse_violation(const std::string& study, const Comparison& declared);
/// The same before the study is stored, of what was looked at before.
void demand_unseen(const results::Store& store, const std::string& study, const Plan& plan);

}  // namespace retrial::harness::inline judge
