#include "harness/plan_state.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace retrial::harness {
namespace {

using results::Digest;
using results::Id16;

/// What the events say about attempts that may have no record.
struct History {
  std::set<Id16> stopped;                                 ///< ended by our own stop: to be run again
  std::map<Digest, std::vector<std::int64_t>> under_way;  ///< when those without an end started, by identity
};

History read_history(const results::Store& store, const std::vector<results::TrialRow>& attempts) {
  History out;
  std::map<Id16, const results::Event*> open;
  const auto events = store.events();
  for (const auto& event : events) {
    if (!event.attempt) continue;
    if (event.kind == "started" && event.identity) open.emplace(*event.attempt, &event);
    if (event.kind == "stopped") out.stopped.insert(*event.attempt);
    if (event.kind == "stopped" || event.kind == "lost") open.erase(*event.attempt);
  }
  for (const auto& attempt : attempts) open.erase(attempt.attempt);
  for (const auto& [attempt, event] : open) out.under_way[*event->identity].push_back(event->at_ns);
  for (auto& [identity, starts] : out.under_way) std::sort(starts.rbegin(), starts.rend());
  return out;
}

using AttemptsByTrial = std::map<std::pair<Digest, std::uint32_t>, std::vector<results::TrialRow>>;

AttemptsByTrial by_trial(const std::vector<results::TrialRow>& attempts) {
  AttemptsByTrial out;
  for (const auto& attempt : attempts) out[{attempt.identity, attempt.replicate}].push_back(attempt);
  return out;
}

bool stopped_by_us(const History& history, const results::TrialRow& attempt) {
  return attempt.status == results::Status::killed && history.stopped.contains(attempt.attempt);
}

PlannedTrial state_of(const results::Store& store, const results::PlanEntry& entry, const AttemptsByTrial& attempts,
                      History& history) {
  PlannedTrial out{.entry = entry, .state = TrialState::missing, .row = std::nullopt, .started_ns = std::nullopt};
  const auto found = attempts.find({entry.identity, entry.replicate});
  if (found != attempts.end()) {
    out.row = store.canonical(entry.identity, entry.replicate);
    if (out.row) {
      out.state = TrialState::done;
      return out;
    }
  }
  // A started event carries no replicate; repeats of one identity take them in plan order.
  auto open = history.under_way.find(entry.identity);
  if (open != history.under_way.end() && !open->second.empty()) {
    out.started_ns = open->second.back();
    open->second.pop_back();
    out.state = TrialState::running;
    return out;
  }
  if (found == attempts.end() || stopped_by_us(history, newest(found->second))) return out;
  out.state = TrialState::failed;
  out.row = newest(found->second);
  return out;
}

}  // namespace

std::string_view name_of(TrialState state) {
  switch (state) {
    case TrialState::done:
      return "done";
    case TrialState::failed:
      return "failed";
    case TrialState::running:
      return "running";
    case TrialState::missing:
      return "missing";
  }
  return "";
}

const results::TrialRow& newest(const std::vector<results::TrialRow>& attempts) {
  return *std::max_element(attempts.begin(), attempts.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
}

bool ended_by_retrial(const results::Store& store, const results::TrialRow& attempt) {
  if (attempt.status != results::Status::killed) return false;
  const auto events = store.events();
  return std::any_of(events.begin(), events.end(),
                     [&](const auto& event) { return event.kind == "stopped" && event.attempt == attempt.attempt; });
}

std::vector<PlannedTrial> plan_state(const results::Store& store, const std::vector<results::PlanEntry>& plan) {
  const auto attempts = store.trials();
  const AttemptsByTrial grouped = by_trial(attempts);
  History history = read_history(store, attempts);
  std::vector<PlannedTrial> out;
  for (const auto& entry : plan) out.push_back(state_of(store, entry, grouped, history));
  return out;
}

}  // namespace retrial::harness
