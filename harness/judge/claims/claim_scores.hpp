#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/study/declared/claims.hpp"
#include "variance/samples/score_bound.hpp"
#include "workloads/interface/score_scale.hpp"

namespace retrial::harness::inline judge::inline claims {

/// The scores of a claim: index i of both lists is the same pair. For a contrast, the candidate's score is the
/// weighted sum over its variants; for a share, the share of the sets in which it is ahead.
struct ClaimScores {
  std::vector<double> candidate, baseline;
  std::int64_t left_out = 0;  ///< pairs with a failed or diverged trial, under failure = "drop"
  std::int64_t only_candidate = 0, only_baseline = 0;  ///< subset where only this side has a trial without a score
  bool refused = false;                                ///< such a pair exists, and no rule allows leaving it out
  std::string problem;                                 ///< the first such pair, or the bounds that differ
  std::int64_t bounded = 0;                            ///< scores that are only bounds, all at `bound_value`
  variance::ScoreBound bound = variance::ScoreBound::exact;
  double bound_value = 0;
};

/// "3 scores are bounds (at least 98.22), so the claim is about scores up to there ..."; empty without bounds.
[[nodiscard]] std::string bounded_scores_text(const ClaimScores& scores);
/// What the claims of a study are about where their tests take resamples of one data set as independent; empty: new
/// data.
[[nodiscard]] std::string resamples_text(const StudyView& study);

/// Reads each trial once, however many claims use it.
class ClaimReader {
 public:
  ClaimReader(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials)
      : store_(store), study_(study), trials_(trials) {}

  /// Scores that are bounds are taken where all are at one value, the end of a common grid: the claim is then about
  /// scores up to there. Bounds at different values have no difference, so they are refused as missing scores are. A
  /// difference has no lowest possible score to give a failed trial, so `loss` refuses as `refuse` does.
  /// Error{incomparable} when a finished trial has no such value.
  [[nodiscard]] ClaimScores scores_of(const RegisteredClaim& claim, const std::string& failure);

 private:
  using Pair = std::map<std::string, const PlannedTrial*>;                ///< by variant
  using Values = std::map<std::pair<std::string, std::int64_t>, double>;  ///< by metric and step; -1: final value

  [[nodiscard]] const Values& values_of(const PlannedTrial& trial);
  [[nodiscard]] double read(const PlannedTrial& trial, const Readings& readings, const std::string& claim);
  [[nodiscard]] double judged(const PlannedTrial& trial, const Reading& reading, double value);
  void note_bounds(const Pair& pair, const RegisteredClaim& claim, ClaimScores& out);
  void note_bound(const PlannedTrial& trial, const Reading& reading, ClaimScores& out);
  [[nodiscard]] variance::ScoreBound bound_at(const PlannedTrial& trial, const Reading& reading);
  [[nodiscard]] double share_of(const Pair& pair, const RegisteredClaim& claim);
  [[nodiscard]] double subject_of(const Pair& pair, const RegisteredClaim& claim);
  void leave_out(const Pair& pair, const RegisteredClaim& claim, ClaimScores& out);
  [[nodiscard]] std::string unscored(const Pair& pair, const RegisteredClaim& claim);

  const results::Store& store_;
  const StudyView& study_;
  const std::vector<PlannedTrial>& trials_;
  std::map<std::int64_t, Values> values_;                                        ///< by attempt
  std::map<std::pair<std::string, std::string>, workloads::ScoreScale> scales_;  ///< by variant and metric
  std::vector<results::MetricDef> defs_;                                         ///< read for the first share
};

}  // namespace retrial::harness::inline judge::inline claims
