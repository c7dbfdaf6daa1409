#pragma once

#include "harness/watch/watch.hpp"

namespace retrial::harness::inline watch {

/// The sides of one commit. Each is the candidate of a suite whose baseline is the same.
struct WatchInputs {
  GateSuite judged;
  std::optional<GateSuite> control;    ///< paired_sign: the candidate is the baseline, measured a second time
  std::optional<GateSuite> reference;  ///< the baseline of it: runs from before the watch
  std::map<std::string, std::string> machine = {};
};

struct EvidenceChoice {
  Statistic statistic = Statistic::automatic;  ///< how repetitions in one process become one value
  bool allow_sequential = false;               ///< paired_sign: accept sides that did not take turns
};

/// Runs become evidence. paired_sign: the sign of candidate - baseline in each block of processes. normal_known: the
/// distance from the mean of the reference in its standard deviations. bounded: the cost itself, 1 - score where higher
/// is better. References of series that are watched come from `before`. Error{measurement} for a failed process,
/// Error{incomparable} for a benchmark without a side, a block without a partner and sides that did not take turns,
/// Error{usage} for a reference that is missing or too short and a cost outside [0, 1].
[[nodiscard]] WatchedCommit evidence_of(const WatchInputs& inputs, const WatchSettings& settings,
                                        const std::optional<WatchState>& before, const EvidenceChoice& choice);

}  // namespace retrial::harness::inline watch
