#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/gate/gate.hpp"
#include "results/digest/sha256.hpp"
#include "variance/history/edetector.hpp"

/// Has this history changed? A detector for each benchmark and metric of a suite, updated by the runs of one commit at
/// a time. The whole watch raises at most one false alarm in `run_length` commits on average.
namespace retrial::harness::inline watch {

enum class WatchDirection { worse, better, both };

struct WatchSettings {
  variance::DetectorEvidence evidence = variance::DetectorEvidence::paired_sign;
  double run_length = 1000.0;  ///< min mean number of commits between false alarms
  WatchDirection direction = WatchDirection::worse;
  bool operator==(const WatchSettings&) const = default;
};

/// Runs of the baseline from before the watch, as they were when it began.
struct FrozenReference {
  double mean = 0.0, sd = 0.0;
  std::int64_t runs = 0;
  bool operator==(const FrozenReference&) const = default;
};

/// One benchmark and metric in one commit; each number of evidence is of one process, positive where it is worse.
struct WatchedRuns {
  std::string workload, metric, unit;
  variance::Direction direction = variance::Direction::lower;
  std::array<std::vector<double>, 2> values = {};  ///< of the processes of both sides
  std::vector<double> control_values = {};         ///< paired_sign: the baseline a second time
  std::vector<double> evidence = {}, control = {};
  std::optional<FrozenReference> reference = {};  ///< of the kinds that have one
};

/// Everything that one commit brings.
struct WatchedCommit {
  std::string commit;
  results::Digest inputs{};         ///< of all values: the same commit with other values is another question
  std::vector<WatchedRuns> series;  ///< by workload and metric
  std::map<std::string, std::string> machine;
};

/// One detector that looks for worse values, one for better ones; without a direction it stays empty.
struct TwoDetectors {
  variance::DetectorState worse, better;
  double level = 0.0;  ///< the higher one, before an alarm emptied it
  std::string alarm;   ///< "worse", "better" or nothing
  bool operator==(const TwoDetectors&) const = default;
};

struct WatchedSeries {
  std::string workload, metric, unit;
  variance::Direction direction = variance::Direction::lower;
  std::array<double, 2> median{};
  std::int64_t blocks = 0, worse_blocks = 0;
  TwoDetectors candidate, control;  ///< control: the baseline against itself
  std::optional<FrozenReference> reference;
  bool operator==(const WatchedSeries&) const = default;
};

/// The watch after a commit, or after a reset by hand.
struct WatchState {
  std::int64_t number = 0;  ///< 1 for the first
  std::optional<results::Digest> previous;
  WatchSettings settings;
  std::string commit;
  results::Digest inputs{};
  std::vector<WatchedSeries> series;
  std::map<std::string, std::string> machine;
  std::string reset;     ///< the reason, where it was emptied by hand
  bool invalid = false;  ///< the control raised an alarm, now or before: nothing is judged until a reset

  [[nodiscard]] std::string verdict() const;  ///< "invalid", "alarm", "quiet"
  [[nodiscard]] int exit() const;             ///< 5, 1, 0
  bool operator==(const WatchState&) const = default;
};

/// Alarms at this level: each of m series has its share of the promise, and each direction its half.
[[nodiscard]] double alarm_level(const WatchSettings& settings, std::size_t series);

/// The state after the runs of one commit. `before`: the latest, or nothing at the beginning and after a reset.
/// Error{incomparable} for a series that the watch has and the commit lacks, and for other references or machines.
[[nodiscard]] WatchState watched(const std::optional<WatchState>& before, const WatchSettings& settings,
                                 const WatchedCommit& commit);

[[nodiscard]] std::string word_of(variance::DetectorEvidence evidence);
[[nodiscard]] std::string word_of(WatchDirection direction);
/// "sort real_time".
[[nodiscard]] std::string series_name(const std::string& workload, const std::string& metric);

}  // namespace retrial::harness::inline watch
