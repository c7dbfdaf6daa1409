#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/plan/trial_body.hpp"

namespace retrial::harness::inline plan {

/// Trials whose keys come from a search, and the trials of the searches, by their places in a plan. A plan without
/// searches costs nothing.
class SearchPlan {
 public:
  /// Entries must have their bodies.
  explicit SearchPlan(const std::vector<results::PlanEntry>& plan);

  [[nodiscard]] bool empty() const { return waits_for_.empty(); }
  /// Places that must have been run, with whatever result, before this one can start; empty for most.
  [[nodiscard]] const std::vector<std::size_t>& prerequisites(std::size_t place) const;
  /// For a trial of a search: the places of the trials that use its result.
  [[nodiscard]] const std::vector<std::size_t>& dependents(std::size_t place) const;

 private:
  std::map<std::size_t, std::vector<std::size_t>> waits_for_, awaited_by_;
};

/// The body with the keys that its search found, and under "search" the identity and value of the trial chosen: the one
/// with the best final value of the search's metric among the attempts that count; on a tie the first. A value that is
/// not finite never wins. A body without a search is returned unchanged. Error{measurement} (code search.no_result)
/// when no trial of the search has a finite value, Error{integrity} when its trials are not in the plan.
[[nodiscard]] TrialBody with_searched_keys(const results::Store& store, const std::vector<results::PlanEntry>& plan,
                                           TrialBody body);

/// Source of the keys of a resolved body, for its manifest: digest of the search's document, and the trial chosen.
[[nodiscard]] Json provenance_of(const Json& search);

}  // namespace retrial::harness::inline plan
