#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/looks/question.hpp"
#include "harness/judge/looks/sequence.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "results/record/identity.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/verdict/verdict.hpp"
#include "workloads/interface/score_scale.hpp"

namespace retrial::harness::inline judge::inline design {

/// The comparison that the user asks for. Absent fields come from the design, else from the order of the variants.
struct ComparisonChoice {
  std::optional<std::string> metric, baseline, candidate;
  std::optional<std::string> scope;  ///< "lambda" or "pipeline"; absent: the widest that the study supports
  /// The better direction, for a metric whose direction the store does not have.
  std::optional<variance::Direction> direction = {};
};

/// The scope of a verdict: "pipeline" where every pair has its own search, so that searches are part of the draw; else
/// "lambda", the keys as given or as one search found them.
[[nodiscard]] std::string scope_of(const StudyView& study);

/// Everything judge() needs, read from a store: scores by pair index in plan order, and the declared design.
struct Comparison {
  variance::PairedScores scores;
  variance::Design design;
  results::MetricDef metric;
  workloads::ScoreScale candidate_scale = {}, baseline_scale = {};  ///< of the metric, under the keys of each side
  std::optional<double> overlap = {};  ///< of the pairs, where each is a new division of one data set
  /// Choices made after the runs, in words; empty: all as declared before the first run.
  std::vector<std::string> undeclared;
  bool recorded = true;  ///< the store counts this look
  std::optional<results::Digest> design_digest;
  Json records;  ///< given trials: [pair, variant, record digest], in plan order
  /// The part of the same trials that must reproduce; a failed trial has no payload.
  std::vector<results::Outcome> outcomes;
  std::optional<variance::InvalidReason> violation;  ///< violation of the declared design, by the store's history
  std::string violation_detail;
  std::vector<std::string> remarks;  ///< on seeds and scores, for the verdict's warnings
  std::string side_by_side;          ///< the remark on times of trials that ran at the same time; empty: none did
  /// Attempts after a failed one at the trials of a side, and the largest number at one trial.
  struct Retries {
    std::int64_t candidate = 0, baseline = 0, most = 0;
  } retries = {};
  Look look = {};                ///< this look at its question
  Sequence sequence = {};        ///< it and the looks before it
  std::vector<Look> looks = {};  ///< all that the store knows of
};

/// Digest of the records that were read, whatever was judged of them.
[[nodiscard]] results::Digest digest_of_records(const Json& records);

/// Error{usage} for a name that does not exist, a metric without direction, or another direction than its own;
/// Error{incomparable} when trials of the two variants have not run yet or have different data, or a finished one lacks
/// the metric. Trials may be missing where the seed of a variant is dead, because `run` stops then. A sequential design
/// is read up to the first pair that has not run, however many ran after it.
[[nodiscard]] Comparison read_comparison(const results::Store& store, const StudyView& study,
                                         const std::vector<PlannedTrial>& trials, const ComparisonChoice& choice);

/// The levels of the design and what its metric says of the scores, for a test of the same scores.
[[nodiscard]] variance::TestSettings declared_settings(const Comparison& comparison);

/// Error{incomparable} if the comparison has a violation, which no other test of its scores makes valid.
void demand_valid(const StudyView& study, const Comparison& comparison);

/// Voids the comparison if it is of times of trials that ran side by side: such a number may be shown, but not
/// required.
void demand_alone(Comparison& comparison);
/// The same as Error{incomparable}, for a test.
void refuse_side_by_side(const StudyView& study, const Comparison& comparison);
[[noreturn]] void refuse_dead_seeds(const std::string& where, const std::string& detail);

/// The chosen metric, else the declared one, else the first outcome with a direction. A direction that was chosen for a
/// metric without one is added to `undeclared`. Error{usage} for a name that does not exist, for a metric without
/// direction and for a direction that contradicts the store.
[[nodiscard]] results::MetricDef metric_to_compare(const results::Store& store, const StudyView& study,
                                                   const ComparisonChoice& choice,
                                                   std::vector<std::string>& undeclared);
/// The score of a trial that has run, from store.final_values(): nothing for a failed trial, not-a-number for a
/// diverged one without a value. Error{incomparable} for a finished one without it.
[[nodiscard]] std::optional<double> score_to_compare(const results::Store& store, const PlannedTrial& trial,
                                                     const std::string& metric,
                                                     const std::map<std::int64_t, double>& values);

/// The declared design without scores, as known before the first trial. For a study with a design.
[[nodiscard]] Comparison declared_comparison(const StudyView& study, const results::MetricDef& metric);

/// The verdict of the declared design; INVALID where the store violates it.
[[nodiscard]] variance::Verdict verdict_of(const Comparison& comparison);

}  // namespace retrial::harness::inline judge::inline design
