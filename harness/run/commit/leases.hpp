#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "harness/run/commit/launch_lock.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline run::inline commit {

/// An identity and its replicate number.
using Place = std::pair<results::Digest, std::uint32_t>;

/// Two processes on one store must not run the same trial. So trials are claimed in small batches; a claim is free
/// again once its process has ended or has not renewed it. Claims expire by the monotonic clock: a wall clock that is
/// set forward must not hand a living process's trials to another one.
class Leases {
 public:
  Leases(results::Store& store, const results::Id16& owner, const std::filesystem::path& scratch = {})
      : store_(store), owner_(owner), alive_(store.path(), owner, scratch) {}
  ~Leases();
  Leases(const Leases&) = delete;
  Leases& operator=(const Leases&) = delete;

  /// The members of `wanted` that this launch now holds.
  std::vector<std::size_t> take(const std::vector<results::PlanEntry>& plan, const std::vector<std::size_t>& wanted);
  void renew();
  /// False once the claim has expired, because this process was stopped, and another one has taken it.
  [[nodiscard]] bool ours(const results::PlanEntry& entry) const;
  void done(const results::PlanEntry& entry) { held_.erase({entry.identity, entry.replicate}); }

 private:
  static constexpr std::int64_t lifetime_ns = 120'000'000'000;
  static constexpr auto renewal = std::chrono::seconds(30);
  results::Store& store_;
  results::Id16 owner_;
  LaunchLock alive_;
  std::set<Place> held_;
  std::chrono::steady_clock::time_point renewed_ = std::chrono::steady_clock::now();
};

}  // namespace retrial::harness::inline run::inline commit
