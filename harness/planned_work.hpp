#pragma once

#include <optional>
#include <string>

#include "harness/plan.hpp"

namespace retrial::harness {

/// What there is to do before any trial has run, as far as the workload says it.
struct PlannedWork {
  std::string first, then;  ///< "parent", "retraining"
  std::int64_t firsts = 0, thens = 0, trials = 0;
  double cpu_seconds = 0;
};
/// Nothing for a workload that says nothing of it, and where a search chooses the keys.
[[nodiscard]] std::optional<PlannedWork> planned_work(const Study& study, const Plan& plan,
                                                      const std::filesystem::path& data);

/// "3 parents, 9 trials, 72 retrainings; about 0.2 CPU-minutes, from counts of multiplications".
[[nodiscard]] std::string text_of(const PlannedWork& work);
[[nodiscard]] Json json_of(const PlannedWork& work);

}  // namespace retrial::harness
