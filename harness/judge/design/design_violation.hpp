#pragma once

#include "harness/judge/design/comparison.hpp"
#include "harness/plan/plan.hpp"

namespace retrial::harness::inline judge::inline design {

/// True when an earlier study of the store planned the same trials with other claims or none: a claim made after
/// looking at the numbers has no error rate. Independent of when the trials of that study ran.
[[nodiscard]] bool claims_came_later(const results::Store& store, const StudyView& study);

/// Sets comparison.violation where the history of a store voids its declared design:
/// `order` when the plan does not go pair by pair; `design-mismatch` when a sequential design is asked about a claim
/// other than its own, or was declared after these trials had been looked at under another design or with more pairs;
/// `extended` when the same study had fewer pairs before, was looked at, and its family may not be extended. Studies
/// with a fixed design are checked for `extended` alone: they have one look, which only an earlier look can spoil.
void find_violation(const results::Store& store, const StudyView& study, Comparison& comparison);

/// Error{incomparable} when the comparison has a violation, before runs whose verdict is already void.
void refuse_violation(const std::string& study, const Comparison& declared);
/// The same before the study is stored, for earlier looks.
void demand_unseen(const results::Store& store, const std::string& study, const Plan& plan);

}  // namespace retrial::harness::inline judge::inline design
