#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/judge/design/comparison.hpp"
#include "harness/judge/looks/sequence.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "results/text/error.hpp"
#include "variance/numbers/estimate.hpp"

namespace retrial::harness::inline judge::inline claims {

enum class ClaimOutcome {
  holds,         ///< shown, corrected for all claims of the study
  refuted,       ///< the opposite is shown
  inconclusive,  ///< neither
  no_verdict,    ///< one pair
  invalid        ///< the study was not run as declared, or scores are missing
};
/// HOLDS, REFUTED, INCONCLUSIVE, NO VERDICT, INVALID.
[[nodiscard]] std::string_view name_of(ClaimOutcome outcome);

/// A claim judged on the trials.
struct JudgedClaim {
  RegisteredClaim claim;
  ClaimOutcome outcome = ClaimOutcome::inconclusive;
  std::string reason;  ///< why INVALID or NO VERDICT, or why no number of pairs follows
  std::int64_t pairs = 0, left_out = 0;
  Comparison::Retries retries = {};  ///< retries of the trials on its sides
  /// Mean difference from the baseline or the value, paired t, at level 1 - alpha for this claim alone; for `equal`
  /// 1 - 2 alpha, which is within the margin when the two tests alone would show equality.
  std::optional<variance::Estimate> difference;
  std::optional<double> p_for, p_against;                ///< one-sided, for the claim and for its opposite
  std::optional<double> adjusted_for, adjusted_against;  ///< Holm 1979 over all claims of the study
  /// INCONCLUSIVE only: total pairs that find a difference like the observed one with 80 % power at alpha / claims.
  std::optional<std::int64_t> pairs_needed;
  std::string bounds;        ///< the remark on scores that are only bounds; empty: all are exact
  std::string side_by_side;  ///< the remark on times of trials that ran at the same time; empty: none did
};

struct JudgedClaims {
  RegisteredClaims family;
  std::vector<JudgedClaim> claims;
  Json records;                         ///< trials read: [variant, pair, record digest], in plan order
  std::vector<Look> looks;              ///< one for each claim; a family
  std::vector<std::string> undeclared;  ///< why the claims do not count as declared; empty: they do
  bool recorded = true;                 ///< the store counts these looks
  std::string resamples = {};   ///< what claims are about whose test takes resamples as independent; empty: new data
  std::string of_profile = {};  ///< what intervals of times leave out, in a profile study; empty: no profile
  std::string shared;  ///< with claims about the question of the study's design: the rate of both answers together
};

/// The power for which numbers of pairs are planned, here and in retrial plan.
constexpr double claim_power = 0.8;

/// Smallest number of pairs, at least 2, with which the test of the claim can reach a p within the level.
[[nodiscard]] std::int64_t min_pairs_for(const RegisteredClaim& claim, double level);

/// Judges every claim of the study on all its pairs. Error{incomparable} while trials of the plan have not run, and
/// where a finished trial lacks a value that a claim reads.
[[nodiscard]] JudgedClaims judge_claims(const results::Store& store, const StudyView& study,
                                        const std::vector<PlannedTrial>& trials);

/// Voids the claims on times of trials that ran side by side: such a number may be shown, but not required.
void demand_alone(JudgedClaims& judged);

/// different when a claim is refuted, else measurement or incomparable when one is INVALID, else inconclusive when one
/// is not shown, else ok.
[[nodiscard]] Exit exit_of(const JudgedClaims& judged);

}  // namespace retrial::harness::inline judge::inline claims
