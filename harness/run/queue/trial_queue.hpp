#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "harness/plan/searched_keys.hpp"
#include "harness/run/commit/leases.hpp"

namespace retrial::harness::inline run::inline queue {

/// The trials that a launch has still to run, in order, and those of them that it has claimed: other processes may work
/// on the same plan. A trial whose keys come from a search waits for the trials of that search.
class TrialQueue {
 public:
  /// `settled` is called for each trial that another process has run since this launch began.
  TrialQueue(const results::Store& store, const std::vector<results::PlanEntry>& plan, Leases& leases,
             std::function<void(const results::PlanEntry&)> settled);

  /// `open`: places in the plan. `attempts`: all that are stored so far.
  void begin(const std::vector<std::size_t>& open, const std::vector<results::TrialRow>& attempts);
  /// Moves these places to the front.
  void put_first(const std::vector<std::size_t>& places);

  /// Passes over everything that other processes have run, and claims the next trials if none is left that is claimed.
  void claim();
  [[nodiscard]] bool has_claimed() const { return !claimed_.empty(); }
  /// The next trial that this launch has claimed. Not called without one.
  [[nodiscard]] std::size_t take();
  /// Its claim has passed on to another process: try again later.
  void put_back(std::size_t place) { waiting_.push_back(place); }

  /// True for a trial that another process has run since this launch began, with whatever result, unless retrial itself
  /// stopped it; it is not run here any more.
  bool settle(std::size_t place);
  /// The trial is stored: what waits for it may start.
  void stored(std::size_t place) { unstored_.erase(place); }

  /// Nothing is left to run here.
  void clear();
  [[nodiscard]] bool empty() const { return claimed_.empty() && waiting_.empty(); }
  [[nodiscard]] std::size_t size() const { return claimed_.size() + waiting_.size(); }

 private:
  [[nodiscard]] std::vector<std::size_t> next_batch();
  [[nodiscard]] bool run_elsewhere(const results::PlanEntry& entry) const;

  const results::Store& store_;
  const std::vector<results::PlanEntry>& plan_;
  Leases& leases_;
  std::function<void(const results::PlanEntry&)> settled_;
  SearchPlan searches_;
  std::deque<std::size_t> waiting_, claimed_;
  std::set<std::size_t> unstored_;                ///< with searches: what this launch has not yet stored
  std::map<Place, std::size_t> attempts_before_;  ///< attempts stored before this launch
};

}  // namespace retrial::harness::inline run::inline queue
