#pragma once

#include <string>
#include <vector>

#include "harness/scores/score_test.hpp"
#include "harness/scores/slice.hpp"
#include "variance/many/multiplicity.hpp"

namespace retrial::harness::inline scores {

/// One comparison of several in one report.
struct Claim {
  std::string task;
  ScoreTest test;  ///< as it would stand alone
  std::optional<double> p_adjusted, p_better_adjusted, p_worse_adjusted;
  variance::Status status = variance::Status::inconclusive;  ///< after the correction
};
struct Claims {
  std::vector<Claim> claims;
  variance::Adjustment adjust = variance::Adjustment::holm;
  /// Dror et al. 2017, of one candidate on several tasks: on at least so many of them it is better. Absent for tests
  /// without p values.
  std::optional<std::int64_t> better_on;
  std::vector<std::string> notes;
};

/// Fills in the adjusted p values and the statuses. A correction only ever takes a verdict back: BETTER stands when
/// the adjusted p of "better" is still within the level of a claim, WORSE likewise, EQUIVALENT by its own p.
void adjust_claims(Claims& claims);

/// Schema retrial.claims/1.
[[nodiscard]] Json claims_document(const Claims& claims);
[[nodiscard]] std::string claims_page(const Claims& claims);

/// One pair of variants of one slice: the test under the failure policy. INVALID (missing) where it refuses.
[[nodiscard]] ScoreTest test_slice(const Slice& slice, std::size_t candidate, std::size_t baseline,
                                   const std::string& name, ScoreTest test,
                                   const std::optional<variance::FailurePolicy>& policy);

}  // namespace retrial::harness::inline scores
