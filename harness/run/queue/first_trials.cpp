#include "harness/run/queue/first_trials.hpp"

#include <algorithm>

#include "results/record/record.hpp"

namespace retrial::harness::inline run::inline queue {

FirstTrials::FirstTrials(const std::vector<results::PlanEntry>& plan) : plan_(plan) {
  for (std::size_t place = 0; place < plan.size(); ++place)
    firsts_.try_emplace(plan[place].variant, First{.place = place, .failure = {}});
}

std::vector<std::size_t> FirstTrials::places() const {
  std::vector<std::size_t> out;
  for (const auto& [variant, first] : firsts_) out.push_back(first.place);
  return out;
}

void FirstTrials::failed(const results::PlanEntry& entry, results::Status status, const std::string& message) {
  const auto found = firsts_.find(entry.variant);
  if (found == firsts_.end()) return;
  const auto& first = plan_[found->second.place];
  if (first.identity != entry.identity || first.replicate != entry.replicate) return;
  // A message begins with its class: "command.exit: ...".
  const auto colon = message.find(':');
  found->second.failure = colon == std::string::npos ? std::string(results::name_of(status)) : message.substr(0, colon);
}

bool FirstTrials::alike() const {
  const std::string* seen = nullptr;
  for (const auto& [variant, first] : firsts_) {
    if (first.failure.empty()) continue;
    if (seen != nullptr && *seen != first.failure) return false;
    seen = &first.failure;
  }
  return true;
}

bool FirstTrials::all_failed() const {
  return std::ranges::none_of(firsts_, [](const auto& each) { return each.second.failure.empty(); });
}

bool FirstTrials::unknown() const {
  return !works_ && alike() && !all_failed();
}

bool FirstTrials::failing() const {
  return !works_ && std::ranges::any_of(firsts_, [](const auto& each) { return !each.second.failure.empty(); });
}

std::optional<std::string> FirstTrials::failed_alike() const {
  if (works_ || firsts_.empty() || !all_failed() || !alike()) return std::nullopt;
  return firsts_.begin()->second.failure;
}

}  // namespace retrial::harness::inline run::inline queue
