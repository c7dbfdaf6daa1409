#pragma once

#include <cstdint>
#include <string>

#include "variance/comparisons/status.hpp"

namespace retrial::variance::inline verdict {

struct PairedScores;
struct Verdict;

/// Pairs in which one trial failed and the other did not, and how likely so uneven a split is if both variants fail
/// equally often: the exact one-sided sign test of these pairs (McNemar 1947; exact as in Fagerland et al. 2013).
struct FailedPairs {
  std::int64_t candidate = 0, baseline = 0;    ///< pairs in which only this one failed
  double p_candidate = 1.0, p_baseline = 1.0;  ///< for "the candidate fails more often", "the baseline ..."
};
[[nodiscard]] FailedPairs failed_pairs(const PairedScores& scores, std::int64_t judged_pairs);

/// Reason not to leave out pairs: the variant that the verdict favors fails more often than the other (p <= alpha), so
/// that its worst runs may be the ones that are missing. Empty where they may.
[[nodiscard]] std::string informative_failures(const Verdict& verdict);
/// The warning on unequal failures under any policy; empty if they are not shown to be unequal.
[[nodiscard]] std::string unequal_failures(const Verdict& verdict);

}  // namespace retrial::variance::inline verdict
