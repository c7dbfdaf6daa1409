#include "harness/stored/plan_state.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/text/output.hpp"
#include "results/record/identity.hpp"

namespace retrial::harness::inline stored {
namespace {

using results::Digest;
using results::Id16;

/// Events of attempts that may have no record.
struct History {
  std::set<Id16> stopped;                               ///< stopped by retrial: to be run again
  std::map<Digest, std::vector<std::int64_t>> running;  ///< start times of attempts without an end, by identity
};

std::vector<Id16> recorded(const std::vector<results::TrialRow>& attempts) {
  std::vector<Id16> out;
  out.reserve(attempts.size());
  for (const auto& attempt : attempts) out.push_back(attempt.attempt);
  std::sort(out.begin(), out.end());
  return out;
}

History read_history(const results::Store& store, const std::vector<results::TrialRow>& attempts) {
  History out;
  const auto ended = recorded(attempts);
  std::map<Id16, const results::Event*> open;
  const auto events = store.attempt_events();
  for (const auto& event : events)
    if (event.kind == "stopped")
      out.stopped.insert(*event.attempt);
    else if (event.kind == "started" && event.identity &&
             !std::binary_search(ended.begin(), ended.end(), *event.attempt))
      open.emplace(*event.attempt, &event);
  for (const auto& event : events)
    if (event.kind == "stopped" || event.kind == "lost") open.erase(*event.attempt);
  for (const auto& [attempt, event] : open) out.running[*event->identity].push_back(event->at_ns);
  for (auto& [identity, starts] : out.running) std::sort(starts.rbegin(), starts.rend());
  return out;
}

bool failed_by_itself(const results::TrialRow& row) {
  return row.status == results::Status::failed || row.status == results::Status::timeout ||
         row.status == results::Status::oom;
}

bool counts(const results::TrialRow& row) {
  return !row.excluded && results::has_outcome(row.status);
}

/// The attempts at each trial, in the order of (started_ns, record), found by bisection on the first eight bytes of the
/// identity. A query per trial took two seconds for 100,000 trials; bisection on whole rows takes six times this long.
class Attempts {
 public:
  explicit Attempts(const std::vector<results::TrialRow>& rows) : rows_(rows) {
    places_.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) places_.push_back({results::first_bytes(rows[i].identity), i});
    std::sort(places_.begin(), places_.end());
  }
  /// Calls `visit` for each until it returns true.
  template <typename Visit>
  void of(const results::PlanEntry& entry, Visit&& visit) const {
    const std::uint64_t wanted = results::first_bytes(entry.identity);
    for (auto at = std::lower_bound(places_.begin(), places_.end(), Place{wanted, 0});
         at != places_.end() && at->first == wanted; ++at) {
      const auto& row = rows_[at->second];
      if (row.identity == entry.identity && row.replicate == entry.replicate && visit(row)) return;
    }
  }

 private:
  using Place = std::pair<std::uint64_t, std::size_t>;  ///< first bytes of the identity, index of the row
  const std::vector<results::TrialRow>& rows_;
  std::vector<Place> places_;
};

/// The state of one trial after the other, in plan order.
class States {
 public:
  States(const results::Store& store, std::shared_ptr<const std::vector<results::TrialRow>> rows, Running running)
      : store_(store), rows_(std::move(rows)), attempts_(*rows_), running_(running) {}

  PlannedTrial of(const results::PlanEntry& entry) {
    PlannedTrial out{.entry = entry, .state = TrialState::missing, .row = {}, .started_ns = std::nullopt};
    const results::TrialRow *canonical = nullptr, *newest = nullptr;
    attempts_.of(entry, [&](const results::TrialRow& attempt) {
      out.retries += newest && failed_by_itself(*newest) ? 1 : 0;
      if (!newest || attempt.id > newest->id) newest = &attempt;
      if (counts(attempt)) canonical = &attempt;
      return canonical != nullptr;
    });
    if (canonical) {
      out.row = shared(*canonical);
      out.state = TrialState::done;
      return out;
    }
    if (running_ == Running::told && take_running(out)) return out;
    if (!newest || (newest->status == results::Status::killed && history().stopped.contains(newest->attempt)))
      return out;
    out.state = TrialState::failed;
    out.row = shared(*newest);
    return out;
  }

 private:
  /// A started event carries no replicate: repeats of one identity take the events in plan order.
  bool take_running(PlannedTrial& out) {
    const auto open = history().running.find(out.entry.identity);
    if (open == history().running.end() || open->second.empty()) return false;
    out.started_ns = open->second.back();
    open->second.pop_back();
    out.state = TrialState::running;
    return true;
  }
  /// Events are read at the first trial that is not done.
  History& history() {
    if (!history_) history_ = read_history(store_, *rows_);
    return *history_;
  }
  [[nodiscard]] std::shared_ptr<const results::TrialRow> shared(const results::TrialRow& row) const {
    return {rows_, &row};
  }

  const results::Store& store_;
  std::shared_ptr<const std::vector<results::TrialRow>> rows_;
  Attempts attempts_;
  Running running_;
  std::optional<History> history_;
};

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

std::string lost_attempts_text(std::int64_t attempts) {
  return counted(attempts, "attempt") + " began and left no record: under way, killed, or removed from the file";
}

const results::TrialRow& newest(const std::vector<results::TrialRow>& attempts) {
  return *std::max_element(attempts.begin(), attempts.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
}

bool ended_by_retrial(const results::Store& store, const results::TrialRow& attempt) {
  if (attempt.status != results::Status::killed) return false;
  const auto events = store.attempt_events();
  return std::any_of(events.begin(), events.end(),
                     [&](const auto& event) { return event.kind == "stopped" && event.attempt == attempt.attempt; });
}

FailureMessages failure_messages(const results::Store& store, const std::vector<PlannedTrial>& trials,
                                 std::size_t max_count) {
  FailureMessages out;
  for (auto trial = trials.rbegin(); trial != trials.rend() && out.size() < max_count; ++trial)
    if (trial->state == TrialState::failed) out[trial->row->id] = store.attempt_details(trial->row->id).message;
  return out;
}

std::shared_ptr<const std::vector<results::TrialRow>> attempts_at(const results::Store& store,
                                                                  const std::vector<results::PlanEntry>& plan) {
  constexpr std::size_t few = 64;
  if (plan.size() > few) return std::make_shared<const std::vector<results::TrialRow>>(store.trials());
  std::set<Digest> identities;
  for (const auto& entry : plan) identities.insert(entry.identity);
  std::vector<results::TrialRow> out;
  for (const auto& identity : identities)
    for (auto& row : store.trials(identity)) out.push_back(std::move(row));
  return std::make_shared<const std::vector<results::TrialRow>>(std::move(out));
}

std::vector<PlannedTrial> plan_state(const results::Store& store, const std::vector<results::PlanEntry>& plan) {
  return plan_state(store, plan, attempts_at(store, plan));
}

std::vector<PlannedTrial> plan_state(const results::Store& store, const std::vector<results::PlanEntry>& plan,
                                     std::shared_ptr<const std::vector<results::TrialRow>> attempts, Running running) {
  States states(store, std::move(attempts), running);
  std::vector<PlannedTrial> out;
  out.reserve(plan.size());
  for (const auto& entry : plan) out.push_back(states.of(entry));
  return out;
}

}  // namespace retrial::harness::inline stored
