#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/run/queue/first_trials.hpp"
#include "harness/stored/plan_state.hpp"

/// The trials of a plan that a launch runs, and whether it is worth running them.
namespace retrial::harness::inline run::inline queue {

/// Number of trials of a plan in each state.
struct StateCounts {
  std::size_t done = 0, failed = 0, open = 0;
};
[[nodiscard]] StateCounts count_states(const std::vector<PlannedTrial>& trials);

/// Places in the plan of all missing or lost trials, and of failed ones with retry_failed. `trials` are the states of
/// the plan's trials, in its order.
[[nodiscard]] std::vector<std::size_t> open_places(const std::vector<PlannedTrial>& trials,
                                                   const std::vector<results::PlanEntry>& plan, bool retry_failed);
/// The same, with the states that the store has now.
[[nodiscard]] std::vector<std::size_t> open_trials(const results::Store& store,
                                                   const std::vector<results::PlanEntry>& plan, bool retry_failed);

/// Tells `firsts` what the store knows of the first trials; of none where any trial has worked.
void look_back(FirstTrials& firsts, const results::Store& store, const std::vector<PlannedTrial>& trials);
/// Common failure of the first trials of all variants, if nothing of the plan has worked.
[[nodiscard]] std::optional<std::string> failed_alike(const results::Store& store,
                                                      const std::vector<results::PlanEntry>& plan);

}  // namespace retrial::harness::inline run::inline queue
