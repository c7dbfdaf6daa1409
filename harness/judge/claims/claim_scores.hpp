#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "harness/study/declared/claims.hpp"

namespace retrial::harness::inline judge::inline claims {

/// The scores of a claim: index i of both lists is the same pair. For a contrast, the candidate's score is the
/// weighted sum over its variants; for a share, the share of the sets in which it is ahead.
struct ClaimScores {
  std::vector<double> candidate, baseline;
  std::int64_t left_out = 0;  ///< pairs with a failed or diverged trial, under failure = "drop"
  std::int64_t only_candidate = 0, only_baseline = 0;  ///< subset where only this side has a trial without a score
  bool refused = false;                                ///< such a pair exists, and no rule allows leaving it out
  std::string problem;                                 ///< the first such pair
};

/// Reads each trial once, however many claims use it.
class ClaimReader {
 public:
  ClaimReader(const results::Store& store, const std::vector<PlannedTrial>& trials) : store_(store), trials_(trials) {}

  /// A difference has no lowest possible score to give a failed trial, so `loss` refuses as `refuse` does.
  /// Error{incomparable} when a finished trial has no such value.
  [[nodiscard]] ClaimScores scores_of(const RegisteredClaim& claim, const std::string& failure);

 private:
  using Pair = std::map<std::string, const PlannedTrial*>;                ///< by variant
  using Values = std::map<std::pair<std::string, std::int64_t>, double>;  ///< by metric and step; -1: final value

  [[nodiscard]] const Values& values_of(const PlannedTrial& trial);
  [[nodiscard]] double read(const PlannedTrial& trial, const Readings& readings, const std::string& claim);
  [[nodiscard]] double share_of(const Pair& pair, const RegisteredClaim& claim);
  [[nodiscard]] double subject_of(const Pair& pair, const RegisteredClaim& claim);
  void leave_out(const Pair& pair, const RegisteredClaim& claim, ClaimScores& out);
  [[nodiscard]] std::string unscored(const Pair& pair, const RegisteredClaim& claim);

  const results::Store& store_;
  const std::vector<PlannedTrial>& trials_;
  std::map<std::int64_t, Values> values_;  ///< by attempt
  std::vector<results::MetricDef> defs_;   ///< read for the first share
};

}  // namespace retrial::harness::inline judge::inline claims
