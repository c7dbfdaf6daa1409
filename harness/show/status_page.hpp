#pragma once

#include <string>
#include <vector>

#include "harness/stored/progress.hpp"

namespace retrial::harness::inline show {

/// A store looked at in one moment: what `retrial status` shows of a study.
struct StudyStatus {
  StudyView study;
  std::string store;
  std::vector<PlannedTrial> trials;
  FailureMessages messages = {};  ///< of the failures that the page shows
  std::vector<Progress> variants;
  Progress total;
  std::size_t launches = 0;  ///< front ends at work on the store
  std::int64_t now_ns = 0;
  /// Of a sequential design whose trials have begun: how sure it is by now, and whether it has decided.
  std::string certainty = {};
  bool decided = false;
};

[[nodiscard]] StudyStatus look_at(const results::Store& store, const StudyView& study);

/// Nobody has to come back: every trial is done or failed, or nobody is at work on the rest.
[[nodiscard]] bool at_rest(const StudyStatus& status);

/// Seconds until the plan is through: the computing that is left over the trials side by side now. Nothing while
/// nobody is at work or a variant with open trials has not finished one.
[[nodiscard]] std::optional<double> seconds_to_end(const StudyStatus& status);

/// The page for people, and the same as schema retrial.status/1.
[[nodiscard]] std::string status_page(const StudyStatus& status);
[[nodiscard]] Json status_document(const StudyStatus& status);

}  // namespace retrial::harness::inline show
