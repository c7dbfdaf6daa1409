#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/plan_state.hpp"
#include "harness/study_view.hpp"
#include "variance/verdict.hpp"

namespace retrial::harness {

/// What the user asks to be compared; what is left out comes from the design, else from the order of the variants.
struct ComparisonChoice {
  std::optional<std::string> metric, baseline, candidate;
};

/// Everything judge() needs, read from a store: scores by pair index in plan order, and the declared design.
struct Comparison {
  variance::PairedScores scores;
  variance::Design design;
  results::MetricDef metric;
  std::vector<std::string>
      undeclared;  ///< what was chosen only now, in words; empty: all as declared before the first run
  std::optional<results::Digest> design_digest;
  results::Digest inputs{};  ///< digest of the records that were judged
};

/// Error{usage} for a name that does not exist or a metric without direction; Error{incomparable} when trials of the
/// two variants have not run yet, or a finished one lacks the metric.
[[nodiscard]] Comparison read_comparison(const results::Store& store, const StudyView& study,
                                         const std::vector<PlannedTrial>& trials, const ComparisonChoice& choice);

}  // namespace retrial::harness
