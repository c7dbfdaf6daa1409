#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "results/store/store.hpp"

namespace retrial::harness::inline run::inline commit {

/// Collects finished trials and commits them: one at a time, or in groups while trials are so short that the disk's
/// sync would dominate. `stored` is called only for records that the store has committed.
class Committer {
 public:
  using Stored = std::function<void(const results::TrialRecord&)>;
  Committer(results::Store& store, Stored stored) : store_(store), stored_(std::move(stored)) {}

  void event(results::Event event) { events_.push_back(std::move(event)); }
  void finished(results::TrialRecord record);
  /// Commits if it is time to; true if anything was committed.
  bool commit_if_due();
  void commit();

 private:
  results::Store& store_;
  Stored stored_;
  std::vector<results::TrialRecord> records_;
  std::vector<results::Event> events_;
  static constexpr std::size_t window = 65;  ///< the median is over the last trials, not over all of them
  std::deque<double> walls_ms_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace retrial::harness::inline run::inline commit
