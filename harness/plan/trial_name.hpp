#pragma once

#include <string>
#include <vector>

#include "harness/plan/trial_body.hpp"

namespace retrial::harness::inline plan {

/// "kd/7": the name of a trial of a plan; a replicate above 0 is appended as "kd/7.1".
[[nodiscard]] std::string trial_name(const results::PlanEntry& entry);

/// "retrial replay STORE kd/7", with --allow-commands or --allow-scripts where it starts a program of the user. The
/// body is a parameter of its own: entries of a listing have none.
[[nodiscard]] std::string replay_line(const std::string& store, const results::PlanEntry& entry, const TrialBody& body);

/// The entry that a user's text names: "kd/7" (variant/pair; the first of several replicates), "kd/7.1", "#17" (place
/// in the plan) or at least six hex digits of the identity. Error{incomparable} if no trial has it; Error{usage} when
/// the form is wrong, or when several trials match, which it lists. Both name `store`, the file of the plan.
[[nodiscard]] const results::PlanEntry& find_trial(const std::vector<results::PlanEntry>& plan, const std::string& name,
                                                   const std::string& store);

}  // namespace retrial::harness::inline plan
