#pragma once

#include <string>
#include <vector>

#include "harness/stored/progress.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline show {

/// The state of a study at one moment: what `retrial status` shows.
struct StudyStatus {
  StudyView study;
  std::string store;
  std::vector<PlannedTrial> trials;
  FailureMessages messages = {};  ///< failures on the page
  std::vector<Progress> variants;
  Progress total;
  std::size_t launches = 0;  ///< front ends that run on the store
  std::int64_t now_ns = 0;
  /// Sequential designs with finished trials only: how certain the answer is so far, and whether it has decided.
  std::string certainty = {};
  bool decided = false;
};

[[nodiscard]] StudyStatus read_status(const results::Store& store, const StudyView& study);

/// No work is pending: every trial is done or failed, or no front end runs the rest.
[[nodiscard]] bool is_idle(const StudyStatus& status);

/// Seconds until the plan is finished: remaining computing divided by the trials that run now. Nothing while no front
/// end runs, or while a variant with open trials has not finished one.
[[nodiscard]] std::optional<double> seconds_to_end(const StudyStatus& status);

/// The data: schema retrial.status/1. `watched`: the page is shown again until nothing runs, so the next step comes
/// then.
[[nodiscard]] report::Part status_part(const StudyStatus& status, bool watched = false);

}  // namespace retrial::harness::inline show
