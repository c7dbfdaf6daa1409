#pragma once

#include "harness/comparison.hpp"

namespace retrial::harness {

/// Sets comparison.violation where the way in which a store came about voids what its design declared:
/// `order` when the plan does not go pair by pair; `design-mismatch` when a sequential design is asked about another
/// claim than its own, or was declared after these trials had been looked at under another one, or with more pairs;
/// `extended` when the same study had fewer pairs before, was looked at, and its family may not be extended. Studies
/// with a fixed design are checked for `extended` alone: theirs is one look, which nothing but an earlier one can
/// spoil.
void find_violation(const results::Store& store, const StudyView& study, Comparison& comparison);

}  // namespace retrial::harness
