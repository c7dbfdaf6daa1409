#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline stored {

constexpr std::array all_trial_states{TrialState::done, TrialState::failed, TrialState::running, TrialState::missing};

/// Progress of one variant, or of the whole plan.
struct Progress {
  std::string name;
  std::array<std::int64_t, all_trial_states.size()> counts{};
  std::vector<std::int64_t> walls_ns;  ///< durations of the finished trials

  [[nodiscard]] std::int64_t of(TrialState state) const { return counts[static_cast<std::size_t>(state)]; }
  [[nodiscard]] std::int64_t total() const { return of(TrialState::done) + of(TrialState::failed) + open(); }
  /// Trials that the next `retrial run` runs.
  [[nodiscard]] std::int64_t open() const { return of(TrialState::running) + of(TrialState::missing); }
  /// Lower median of the durations of finished trials; nothing before the first.
  [[nodiscard]] std::optional<double> median_seconds() const;
};

[[nodiscard]] std::vector<Progress> progress_by_variant(const StudyView& study,
                                                        const std::vector<PlannedTrial>& trials);
[[nodiscard]] Progress total_progress(const std::vector<PlannedTrial>& trials);

/// A row per element: its trials by state.
[[nodiscard]] report::Table progress_table(const std::vector<Progress>& rows);

/// Seconds of computing left on one worker: open trials times the median of their variant. Nothing while a variant has
/// open trials and none finished.
[[nodiscard]] std::optional<double> remaining_seconds(const std::vector<Progress>& variants);

}  // namespace retrial::harness::inline stored
