#include "harness/run/queue/open_trials.hpp"

#include <algorithm>

#include "harness/plan/searched_keys.hpp"

namespace retrial::harness::inline run::inline queue {

StateCounts count_states(const std::vector<PlannedTrial>& trials) {
  StateCounts counts;
  for (const auto& trial : trials)
    ++(trial.state == TrialState::done ? counts.done : trial.state == TrialState::failed ? counts.failed : counts.open);
  return counts;
}

std::vector<std::size_t> open_places(const std::vector<PlannedTrial>& trials,
                                     const std::vector<results::PlanEntry>& plan, bool retry_failed) {
  std::vector<std::size_t> out;
  const SearchPlan searches(retry_failed ? plan : std::vector<results::PlanEntry>{});
  // A search whose result has been used is closed: a new result would belong to a different trial.
  const auto closed = [&](std::size_t index) {
    const auto& users = searches.dependents(index);
    return std::any_of(users.begin(), users.end(), [&](auto i) { return trials[i].state == TrialState::done; });
  };
  for (std::size_t index = 0; index < trials.size(); ++index) {
    if (trials[index].state == TrialState::done) continue;
    if (trials[index].state != TrialState::failed || (retry_failed && !closed(index))) out.push_back(index);
  }
  return out;
}

std::vector<std::size_t> open_trials(const results::Store& store, const std::vector<results::PlanEntry>& plan,
                                     bool retry_failed) {
  return open_places(plan_state(store, plan, attempts_at(store, plan), Running::as_missing), plan, retry_failed);
}

void look_back(FirstTrials& firsts, const results::Store& store, const std::vector<PlannedTrial>& trials) {
  if (std::ranges::find(trials, TrialState::done, &PlannedTrial::state) != trials.end()) return firsts.worked();
  for (const auto place : firsts.places())
    if (const auto& trial = trials[place]; trial.state == TrialState::failed)
      firsts.failed(trial.entry, trial.row->status, store.attempt_details(trial.row->id).message.value_or(""));
}

std::optional<std::string> failed_alike(const results::Store& store, const std::vector<results::PlanEntry>& plan) {
  FirstTrials firsts(plan);
  look_back(firsts, store, plan_state(store, plan));
  return firsts.failed_alike();
}

}  // namespace retrial::harness::inline run::inline queue
