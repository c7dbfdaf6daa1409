#pragma once

#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace retrial::harness::inline plan {

/// "kd/7": how a trial of a plan is written; a replicate above 0 is added as "kd/7.1".
[[nodiscard]] std::string trial_name(const results::PlanEntry& entry);

/// The entry a user's text names: "kd/7" (variant/pair; of several the first replicate), "kd/7.1", "#17" (place in
/// the plan) or at least six hex digits of the identity. Error{incomparable} when there is none, Error{usage} when
/// the form is wrong or several trials match, which it lists.
[[nodiscard]] const results::PlanEntry& find_trial(const std::vector<results::PlanEntry>& plan,
                                                   const std::string& name);

}  // namespace retrial::harness::inline plan
