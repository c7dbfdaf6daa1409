#include "harness/run/queue/trial_queue.hpp"

#include <algorithm>

#include "harness/stored/plan_state.hpp"
#include "harness/system/signals.hpp"

namespace retrial::harness::inline run::inline queue {

TrialQueue::TrialQueue(const results::Store& store, const std::vector<results::PlanEntry>& plan, Leases& leases,
                       std::function<void(const results::PlanEntry&)> settled)
    : store_(store), plan_(plan), leases_(leases), settled_(std::move(settled)), searches_(plan) {}

void TrialQueue::begin(const std::vector<std::size_t>& open, const std::vector<results::TrialRow>& attempts) {
  waiting_.assign(open.begin(), open.end());
  if (!searches_.empty()) unstored_.insert(open.begin(), open.end());
  for (const auto& attempt : attempts) ++attempts_before_[{attempt.identity, attempt.replicate}];
}

void TrialQueue::put_first(const std::vector<std::size_t>& places) {
  const std::set<std::size_t> first(places.begin(), places.end());
  std::stable_partition(waiting_.begin(), waiting_.end(), [&](std::size_t place) { return first.contains(place); });
}

void TrialQueue::claim() {
  if (!claimed_.empty() || waiting_.empty()) return;
  const auto settled = [this](std::size_t place) { return settle(place); };
  std::vector<std::size_t> wanted;
  for (bool more = true; more && wanted.empty() && SignalWatch::count() == 0;) {
    wanted = next_batch();
    more = !wanted.empty();
    std::erase_if(wanted, settled);
  }
  if (wanted.empty()) return;
  auto granted = leases_.take(plan_, wanted);
  const std::set<std::size_t> mine(granted.begin(), granted.end());
  // Checked again under the claim: the former holder stores a trial before it releases the claim.
  std::erase_if(granted, settled);
  claimed_.insert(claimed_.end(), granted.begin(), granted.end());
  for (const auto place : wanted)
    if (!mine.contains(place)) waiting_.push_back(place);  // another process holds it for now: try again later
}

std::size_t TrialQueue::take() {
  const auto place = claimed_.front();
  claimed_.pop_front();
  return place;
}

bool TrialQueue::settle(std::size_t place) {
  if (!run_elsewhere(plan_[place])) return false;
  if (settled_) settled_(plan_[place]);
  unstored_.erase(place);
  return true;
}

void TrialQueue::clear() {
  waiting_.clear();
  claimed_.clear();
}

/// Takes out of those that wait the first trials that wait for no running search.
std::vector<std::size_t> TrialQueue::next_batch() {
  constexpr std::size_t batch = 16;
  std::vector<std::size_t> out;
  std::deque<std::size_t> rest;
  while (!waiting_.empty() && out.size() < batch) {
    const auto& before = searches_.prerequisites(waiting_.front());
    const bool ready = std::ranges::none_of(before, [&](auto place) { return unstored_.contains(place); });
    ready ? out.push_back(waiting_.front()) : rest.push_back(waiting_.front());
    waiting_.pop_front();
  }
  waiting_.insert(waiting_.begin(), rest.begin(), rest.end());
  return out;
}

bool TrialQueue::run_elsewhere(const results::PlanEntry& entry) const {
  auto attempts = store_.trials(entry.identity);
  std::erase_if(attempts, [&](const auto& attempt) { return attempt.replicate != entry.replicate; });
  const auto usable = [](const auto& attempt) { return !attempt.excluded && results::has_outcome(attempt.status); };
  if (std::ranges::any_of(attempts, usable)) return true;
  const auto before = attempts_before_.find({entry.identity, entry.replicate});
  if (attempts.size() <= (before == attempts_before_.end() ? 0 : before->second)) return false;
  return !ended_by_retrial(store_, newest(attempts));
}

}  // namespace retrial::harness::inline run::inline queue
