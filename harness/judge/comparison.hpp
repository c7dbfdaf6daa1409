#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "results/record/identity.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::harness::inline judge {

/// What the user asks to be compared; what is left out comes from the design, else from the order of the variants.
struct ComparisonChoice {
  std::optional<std::string> metric, baseline, candidate;
  std::optional<std::string> scope;  ///< "lambda" or "pipeline"; left out: what the study can carry
};

/// What a verdict holds for: "pipeline" where every pair has a search of its own, so that new searches are part of what
/// was drawn; else "lambda", the keys as they are or as one search found them.
[[nodiscard]] std::string scope_of(const StudyView& study);

/// Everything judge() needs, read from a store: scores by pair index in plan order, and the declared design.
struct Comparison {
  variance::PairedScores scores;
  variance::Design design;
  results::MetricDef metric;
  std::vector<std::string>
      undeclared;  ///< what was chosen only now, in words; empty: all as declared before the first run
  std::optional<results::Digest> design_digest;
  Json records;  ///< of the trials given: [pair, variant, record digest], in the order of the plan
  /// What must reproduce of the same trials; no payload: it failed.
  std::vector<results::Outcome> outcomes;
  std::optional<variance::InvalidReason> violation;  ///< of the declared design, by how the store came about
  std::string violation_detail;
};

/// Error{usage} for a name that does not exist or a metric without direction; Error{incomparable} when trials of the
/// two variants have not run yet or have different data, or a finished one lacks the metric. A sequential design is
/// read up to the first pair that has not run, however many have been run behind it.
[[nodiscard]] Comparison read_comparison(const results::Store& store, const StudyView& study,
                                         const std::vector<PlannedTrial>& trials, const ComparisonChoice& choice);

/// The declared design without a score: what is known before the first trial. Of a study with a design.
[[nodiscard]] Comparison declared_comparison(const StudyView& study, const results::MetricDef& metric);

/// The verdict of the declared design; INVALID where the store violates it.
[[nodiscard]] variance::Verdict verdict_of(const Comparison& comparison);

}  // namespace retrial::harness::inline judge
