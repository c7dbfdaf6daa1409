#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/design/comparison.hpp"
#include "harness/stored/plan_state.hpp"
#include "variance/verdict/sequential_verdict.hpp"

namespace retrial::harness::inline run::inline sequential {

/// Applies a sequential design while its trials run: after every trial, on the complete pairs from the first up to the
/// first open one. So the verdict does not depend on which of several parallel trials ended first.
class SequentialWatch {
 public:
  /// `declared` has no scores yet; `trials` are as stored. Failed trials count as failed unless they will be run again.
  SequentialWatch(const results::Store& store, Comparison declared, const std::vector<PlannedTrial>& trials,
                  bool retry_failed);

  void ended(const results::PlanEntry& entry, const results::TrialRecord& record);
  /// A trial that another process ran; read from the store.
  void settled(const results::PlanEntry& entry);

  [[nodiscard]] bool decided() const { return followed_.part.state != variance::SequentialState::go_on; }
  /// The current evidence, as one line.
  [[nodiscard]] std::string line() const;
  /// The line, if enough pairs have been added since the last one for it to say something new.
  [[nodiscard]] std::optional<std::string> news();

 private:
  using Side = std::vector<std::optional<std::optional<double>>>;  ///< per pair: not run; failed; its score
  void put(const results::PlanEntry& entry, std::optional<double> score,
           variance::ScoreBound bound = variance::ScoreBound::exact);
  void look();
  void catch_up();
  void take_stored(const results::PlanEntry& entry);
  [[nodiscard]] bool known(const results::PlanEntry& entry) const;

  const results::Store& store_;
  Comparison comparison_;
  bool retry_failed_ = false;
  std::vector<results::PlanEntry> entries_;  ///< entries of the two sides, in plan order
  Side candidate_, baseline_;
  std::vector<variance::ScoreBound> candidate_bounds_, baseline_bounds_;  ///< per pair
  std::size_t held_back_ = 0;  ///< trials after the first open pair when the store was last read
  variance::Followed followed_;
  std::int64_t reported_at_ = 0;
};

}  // namespace retrial::harness::inline run::inline sequential
