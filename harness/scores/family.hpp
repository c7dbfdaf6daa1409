#pragma once

#include <string>
#include <vector>

#include "harness/scores/outcomes/claims.hpp"
#include "harness/scores/selection/slice.hpp"
#include "variance/many/multiplicity.hpp"

namespace retrial::harness::inline scores {

/// Fills in the adjusted p values and the statuses. The p values for BETTER, for WORSE, for EQUIVALENT and for NOT
/// MEANINGFUL are a family each. A correction can only withdraw a verdict: it is kept if its adjusted p is at most
/// alpha, or beta for NOT MEANINGFUL.
void adjust_claims(Claims& claims);

/// --adjust, else Holm; for a test of bounds Bonferroni, for posteriors and a single claim none. Error{usage} for a
/// correction that the test cannot have.
[[nodiscard]] variance::Adjustment adjustment_of(const Arguments& arguments, const variance::ComparisonTest& row,
                                                 std::size_t claims);
/// The worst exit of all claims: --require applies to each of them.
[[nodiscard]] Exit exit_of_claims(const Claims& all, Requirement requirement);

/// Tests one pair of variants of one slice under the failure policy. INVALID (missing) if the policy is to refuse.
[[nodiscard]] ScoreTest test_slice(const Slice& slice, std::size_t candidate, std::size_t baseline,
                                   const std::string& name, ScoreTest test,
                                   const std::optional<variance::FailurePolicy>& policy);

}  // namespace retrial::harness::inline scores
