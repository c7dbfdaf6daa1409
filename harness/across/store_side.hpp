#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/design/comparison.hpp"
#include "harness/plan/trial_body.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"

namespace retrial::harness::inline across {

/// One of the two stores: the study that is compared, with its trials.
struct StoreSide {
  std::string name;  ///< the path as the user typed it
  results::Store store;
  StudyView study;
  Json document;                     ///< document of the study
  std::vector<PlannedTrial> trials;  ///< in plan order
  std::vector<TrialBody> bodies;     ///< bodies of the same trials
  /// The identities of the same trials without the build of this program; with it, where this program cannot tell.
  std::vector<results::Digest> result_identities;
};

/// `study`: as in chosen_study().
[[nodiscard]] StoreSide read_store_side(const std::string& path, const std::optional<std::string>& study);

/// Error{usage} where the two studies are of different workloads; Error{incomparable} where one of them has no trials
/// of a number fixed in advance, which every test here needs: a study of variance, a sequential design.
void demand_matching_studies(const StoreSide& baseline, const StoreSide& candidate);

/// The metric by which both sides are compared.
struct SharedMetric {
  results::MetricDef def;
  std::vector<std::string> undeclared;  ///< a direction that was chosen
};
/// `choice`: metric and direction, as for one store; without a metric the one that both studies judge. Error{usage}
/// where the sides differ in it, in its unit or in its direction.
[[nodiscard]] SharedMetric shared_metric(const StoreSide& baseline, const StoreSide& candidate,
                                         const ComparisonChoice& choice);

}  // namespace retrial::harness::inline across
