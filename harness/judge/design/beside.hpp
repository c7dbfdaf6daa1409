#pragma once

#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"

namespace retrial::harness::inline judge::inline design {

/// What the workload has to say beside every comparison of these variants (Contribution::beside), a sentence each; from
/// the artifacts of their finished trials.
[[nodiscard]] std::vector<std::string> facts_beside(const results::Store& store, const StudyView& study,
                                                    const std::vector<PlannedTrial>& trials,
                                                    const std::vector<std::string>& variants);

}  // namespace retrial::harness::inline judge::inline design
