#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "variance/verdict/verdict.hpp"

namespace retrial::variance::inline verdict {

/// Outcome of a pair for the candidate. both_failed: neither trial has a finite score, so that the pair is neither won
/// nor lost; left_out: by the failure policy.
enum class PairOutcome { win, tie, loss, both_failed, left_out };
/// "win", "tie", "loss", "both failed", "left out".
[[nodiscard]] std::string_view name_of(PairOutcome outcome);

/// Every pair in the order of the scores. All counts of verdicts, pages and reports come from here.
[[nodiscard]] std::vector<PairOutcome> pair_outcomes(const PairedScores& scores, const Design& design);

/// The sums. A pair in which both failed is one of `wins.ties`, as it has no winner.
struct PairCounts {
  PairedWin wins;
  std::int64_t both_failed = 0, left_out = 0;
};
[[nodiscard]] PairCounts counts_of(const std::vector<PairOutcome>& outcomes);

/// "2 tied", "2 tied at bounds, both failed in 5", "both failed in 5"; empty without such pairs. `more` follows the
/// numbers: "2 more tied, both failed in 5 more".
[[nodiscard]] std::string undecided_text(const Verdict& verdict, std::string_view more = "");

/// The largest difference of one pair that is a tie, from its own scores: half the resolution, rounding noise at least.
[[nodiscard]] double own_tolerance(double candidate, double baseline, const PairedScores& scores);

}  // namespace retrial::variance::inline verdict
