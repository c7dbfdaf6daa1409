#pragma once

#include <cstdint>
#include <vector>

/// A gate that watches a stream of commits and raises a false alarm at most once in `run_length` updates on average
/// (e-detectors: Shin, Ramdas and Rinaldo 2023). O(effects) time and memory per update.
namespace retrial::variance::inline history {

enum class DetectorRecursion {
  shiryaev_roberts,  ///< M_n = e_n (1 + M_(n-1))
  cusum              ///< M_n = e_n max(1, M_(n-1))
};
enum class DetectorEvidence {
  paired_sign,   ///< observation > 0: the candidate was worse in a block (one process per variant); < 0: better; 0: a
                 ///< tie
  normal_known,  ///< observation: z against a frozen reference of at least 200 runs; positive is worse
  bounded        ///< observation: a cost in [0, 1]; `reference` is the frozen mean cost of the baseline, in (0, 1)
};

struct Detector {
  DetectorEvidence evidence = DetectorEvidence::paired_sign;
  DetectorRecursion recursion = DetectorRecursion::shiryaev_roberts;
  double run_length = 1000.0;        ///< min mean number of updates between false alarms; greater than 1
  double reference = 0.5;            ///< `bounded` only
  std::vector<double> effects = {};  ///< watched together, evidence averaged; empty: the defaults
};
/// Defaults: win shares .6 .7 .8 .9; shifts .5 1 1.5 2; bets .25 .5 .75 over the reference.
[[nodiscard]] std::vector<double> effects_of(const Detector& detector);

/// Plain numbers that can be stored between commits.
struct DetectorState {
  std::vector<double> values;  ///< one per effect; empty: no observation so far
  std::int64_t updates = 0;
  bool operator==(const DetectorState&) const = default;
};
struct DetectorStep {
  DetectorState state;  ///< empty after an alarm: the watch restarts
  double level = 0.0;   ///< mean of the values; alarms at run_length
  bool alarm = false;
};
/// One update from the blocks of one commit (evidence of several blocks multiplies). InvalidInput for parameters, a
/// state or observations out of range. Without observations the state stays unchanged.
[[nodiscard]] DetectorStep update(const Detector& detector, const DetectorState& state,
                                  const std::vector<double>& observations);

}  // namespace retrial::variance::inline history
