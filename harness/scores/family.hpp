#pragma once

#include <string>
#include <vector>

#include "harness/scores/score_test.hpp"
#include "harness/scores/selection/slice.hpp"
#include "variance/comparisons/deciding_p.hpp"
#include "variance/many/multiplicity.hpp"

namespace retrial::harness::inline scores {

/// One of several comparisons in one report.
struct Claim {
  std::string task;
  ScoreTest test;  ///< without the correction
  std::optional<double> p_adjusted, p_better_adjusted, p_worse_adjusted, p_equivalent_adjusted,
      p_not_meaningful_adjusted;
  /// For the verdict of the test alone, or for the nearer direction. Absent: the test has no p.
  std::optional<variance::DecidingP> deciding, deciding_adjusted;
  variance::Status status = variance::Status::inconclusive;  ///< after the correction
};
struct Claims {
  std::vector<Claim> claims;
  variance::Adjustment adjust = variance::Adjustment::holm;
  /// One candidate on several tasks: the number of tasks on which it is better, at least (Dror et al. 2017). Absent for
  /// tests without p values.
  std::optional<std::int64_t> better_on;
  std::vector<std::string> notes;
  Standing standing = {};     ///< of claims on a store
  std::string task = "task";  ///< noun for what several claims are about
};

/// Fills in the adjusted p values and the statuses. The p values for BETTER, for WORSE, for EQUIVALENT and for NOT
/// MEANINGFUL are a family each. A correction can only withdraw a verdict: it is kept if its adjusted p is at most
/// alpha, or beta for NOT MEANINGFUL.
void adjust_claims(Claims& claims);

/// Schema retrial.claims/1.
[[nodiscard]] Json claims_document(const Claims& claims);
[[nodiscard]] std::string claims_page(const Claims& claims);

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
