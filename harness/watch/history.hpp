#pragma once

#include <filesystem>

#include "harness/scores/lines/score_table.hpp"
#include "harness/stored/fact_filter.hpp"
#include "harness/watch/watch.hpp"
#include "variance/history/commit_changes.hpp"

namespace retrial::harness::inline watch {

/// The value of one commit, and what speaks of a change there.
struct CommitPoint {
  std::string commit;
  double value = 0.0;                 ///< median of its processes
  std::optional<double> level = {};   ///< of the detector, where the commit was watched
  std::string alarm = {};             ///< "worse", "better", "invalid" or nothing
  std::optional<double> change = {};  ///< from the commit before, as a share; infinite after 0
  bool stands_out = false;            ///< beyond the threshold of its series
  bool change_point = false;          ///< of the windowed recipe: a display, not a test
};

struct CommitSeries {
  std::string workload, metric, unit;
  variance::Direction direction = variance::Direction::none;
  std::vector<CommitPoint> points;                          ///< oldest first
  std::optional<variance::ChangeThreshold> threshold = {};  ///< of the steps shown; absent below two values
  std::optional<double> alarm_at = {};                      ///< level of the latest commit

  [[nodiscard]] std::size_t first_shown() const;  ///< the last 31 values are shown
};

/// Series of commits, for people: only `gate` fails a build.
struct CommitHistory {
  std::vector<CommitSeries> series;
  std::optional<WatchSettings> settings;  ///< of the watch, where there is one
  std::vector<std::string> notes;

  [[nodiscard]] std::int64_t alarms() const;
  [[nodiscard]] std::int64_t standing_out() const;
};

struct HistoryChoice {
  std::vector<std::string> metrics;  ///< empty: all
  std::optional<std::string> workload;
  FactFilter where = {};
};
/// Error{usage} for a metric, benchmark or key that is not there, Error{incomparable} where no value fits the filter.
[[nodiscard]] CommitHistory history_of(const std::vector<WatchState>& states, const HistoryChoice& choice);
/// The variants are the commits, in the order of the file.
[[nodiscard]] CommitHistory history_of(const ScoreTable& table, const HistoryChoice& choice,
                                       std::optional<variance::Direction> direction);

/// Stores of a gate, one per commit in this order: a baseline's, or the trials of the candidate.
[[nodiscard]] CommitHistory history_of_stores(const std::vector<std::filesystem::path>& files,
                                              const HistoryChoice& choice);

}  // namespace retrial::harness::inline watch
