#include "harness/run/commit/leases.hpp"

#include "harness/system/host.hpp"

namespace retrial::harness::inline run::inline commit {

using Clock = std::chrono::steady_clock;

Leases::~Leases() {
  try {
    store_.release(owner_);
  } catch (const std::exception&) {  // they expire by themselves
  }
}

std::vector<std::size_t> Leases::take(const std::vector<results::PlanEntry>& plan,
                                      const std::vector<std::size_t>& wanted) {
  std::vector<Place> places;
  for (const auto index : wanted) places.emplace_back(plan[index].identity, plan[index].replicate);
  for (const auto& other : store_.lease_owners())
    if (other != owner_ && !LaunchLock::alive(store_.path(), other)) store_.release(other);
  const auto now = monotonic_ns();
  const auto granted = store_.claim(owner_, places, now, now + lifetime_ns);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (granted[i]) {
      out.push_back(wanted[i]);
      held_.insert(places[i]);
    }
  renewed_ = Clock::now();
  return out;
}

bool Leases::ours(const results::PlanEntry& entry) const {
  return store_.lease_owner(entry.identity, entry.replicate) == owner_;
}

void Leases::renew() {
  if (held_.empty() || Clock::now() - renewed_ < renewal) return;
  const std::vector<Place> places(held_.begin(), held_.end());
  const auto now = monotonic_ns();
  const auto granted = store_.claim(owner_, places, now, now + lifetime_ns);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!granted[i]) held_.erase(places[i]);
  renewed_ = Clock::now();
}

}  // namespace retrial::harness::inline run::inline commit
