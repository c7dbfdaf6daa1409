#pragma once

#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"

namespace retrial::harness::inline stored {

/// Everything that the store holds about one trial of a plan.
struct TrialDetails {
  PlannedTrial trial;
  std::string study;
  Json body;  ///< as sent to the worker
  std::vector<results::TrialRow> attempts;
  std::vector<results::AttemptDetails> attempt_details;  ///< one for each of `attempts`
  results::AttemptDetails details;                       ///< the attempt that counts, if any
  std::int64_t resumed = 0;                              ///< times that this attempt went on from a kept state
  std::vector<results::MetricDef> defs;
  std::vector<results::MetricValue> metrics;
  std::vector<results::DigestValue> digests;
  std::vector<results::ArtifactValue> artifacts;
};

[[nodiscard]] TrialDetails read_trial(const results::Store& store, const StudyView& study, const PlannedTrial& trial);

/// Schema retrial.show_trial/1.
[[nodiscard]] Json trial_json(const TrialDetails& details);

}  // namespace retrial::harness::inline stored
