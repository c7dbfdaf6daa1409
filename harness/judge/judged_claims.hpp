#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "results/text/error.hpp"
#include "variance/numbers/estimate.hpp"

namespace retrial::harness::inline judge {

enum class ClaimOutcome {
  holds,         ///< shown, after the correction for all claims of the study
  refuted,       ///< the opposite is
  inconclusive,  ///< neither
  no_verdict,    ///< one pair
  invalid        ///< the study was not run as it was declared, or scores are missing
};
/// HOLDS, REFUTED, INCONCLUSIVE, NO VERDICT, INVALID.
[[nodiscard]] std::string_view name_of(ClaimOutcome outcome);

/// A claim beside the trials.
struct JudgedClaim {
  RegisteredClaim claim;
  ClaimOutcome outcome = ClaimOutcome::inconclusive;
  std::string reason;  ///< of INVALID, of NO VERDICT, and why no number of pairs follows
  std::int64_t pairs = 0, left_out = 0;
  /// Mean difference from the baseline or the value, paired t, level 1 - alpha of this claim alone; of equal
  /// 1 - 2 alpha, which lies within the margin when the two tests alone would say so.
  std::optional<variance::Estimate> difference;
  std::optional<double> p_for, p_against;                ///< one-sided, of what is claimed and of its opposite
  std::optional<double> adjusted_for, adjusted_against;  ///< Holm 1979 over all claims of the study
  /// INCONCLUSIVE: pairs in all that find a difference like the observed one with 80 % power at alpha / claims.
  std::optional<std::int64_t> pairs_needed;
};

struct JudgedClaims {
  RegisteredClaims family;
  std::vector<JudgedClaim> claims;
  Json records;  ///< of the trials that were read: [variant, pair, record digest], in the order of the plan
};

/// Power that a number of pairs is planned for, here and by retrial plan.
constexpr double claim_power = 0.8;

/// Least pairs, 2 and more, with which `test` can reach a p within the level.
[[nodiscard]] std::int64_t pairs_that_can(const std::string& test, double level);

/// Judges every claim of the study on all its pairs. Error{incomparable} while trials of the plan have not run, and
/// where a finished trial lacks what a claim reads.
[[nodiscard]] JudgedClaims judge_claims(const results::Store& store, const StudyView& study,
                                        const std::vector<PlannedTrial>& trials);

/// different when a claim is refuted, else measurement or incomparable when one is INVALID, else inconclusive when one
/// is not shown, else ok.
[[nodiscard]] Exit exit_of(const JudgedClaims& judged);

}  // namespace retrial::harness::inline judge
