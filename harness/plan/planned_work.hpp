#pragma once

#include <optional>
#include <string>

#include "harness/plan/plan.hpp"

namespace retrial::harness::inline plan {

/// The work in a plan, as estimated by the workload before any trial has run.
struct PlannedWork {
  std::string shared_phase, own_phase;  ///< "parent", "retraining"
  std::int64_t shared_count = 0, own_count = 0, trials = 0;
  double cpu_seconds = 0;
};
/// Absent for a workload without an estimate, and where a search chooses the keys.
[[nodiscard]] std::optional<PlannedWork> planned_work(const Study& study, const Plan& plan,
                                                      const std::filesystem::path& data);

/// "3 parents, 9 trials, 72 retrainings; about 0.2 CPU-minutes, from counts of multiplications".
[[nodiscard]] std::string text_of(const PlannedWork& work);
[[nodiscard]] Json json_of(const PlannedWork& work);

}  // namespace retrial::harness::inline plan
