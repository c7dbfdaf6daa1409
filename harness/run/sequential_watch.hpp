#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/comparison.hpp"
#include "harness/stored/plan_state.hpp"
#include "variance/verdict/sequential_verdict.hpp"

namespace retrial::harness::inline run {

/// Asks a sequential design while its trials run: after every trial, on the longest run of complete pairs from the
/// first one on. So the verdict does not depend on which trial of those side by side ended first.
class SequentialWatch {
 public:
  /// `declared` without scores; `trials` as they stand in the store. Failed ones count as such unless they are to be
  /// run again.
  SequentialWatch(const results::Store& store, Comparison declared, const std::vector<PlannedTrial>& trials,
                  bool retry_failed);

  void ended(const results::PlanEntry& entry, const results::TrialRecord& record);
  /// By another process; read from the store.
  void settled(const results::PlanEntry& entry);

  [[nodiscard]] bool decided() const { return followed_.part.state != variance::SequentialState::go_on; }
  /// How sure it is by now, as a line.
  [[nodiscard]] std::string line() const;
  /// The line, when enough pairs have been added since the last one that it says something new.
  [[nodiscard]] std::optional<std::string> news();

 private:
  using Side = std::vector<std::optional<std::optional<double>>>;  ///< by pair: not run; failed; its score
  void put(const results::PlanEntry& entry, std::optional<double> score);
  void look();
  void catch_up();
  void take_stored(const results::PlanEntry& entry);
  [[nodiscard]] bool known(const results::PlanEntry& entry) const;

  const results::Store& store_;
  Comparison comparison_;
  bool retry_failed_ = false;
  std::vector<results::PlanEntry> entries_;  ///< of the two sides, in the order of the plan
  Side candidate_, baseline_;
  std::size_t held_back_ = 0;  ///< trials behind the first open pair, when the store was last asked
  variance::Followed followed_;
  std::int64_t told_ = 0;
};

}  // namespace retrial::harness::inline run
