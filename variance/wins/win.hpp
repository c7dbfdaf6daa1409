#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "variance/comparisons/intervals.hpp"
#include "variance/numbers/estimate.hpp"
#include "variance/wins/theta.hpp"

/// Probability that the candidate beats the baseline, p = P(A > B) with ties counted as half. Scores are oriented so
/// that higher is better.
namespace retrial::variance::inline wins {

struct PairedWin {
  std::int64_t wins = 0, ties = 0, losses = 0;  ///< from the view of the candidate
  [[nodiscard]] std::int64_t pairs() const { return wins + ties + losses; }
  [[nodiscard]] std::int64_t untied() const { return wins + losses; }
  [[nodiscard]] double tie_share() const;  ///< ties / pairs; 0 without pairs
  [[nodiscard]] double share() const;      ///< (wins + ties / 2) / pairs; 1/2 without pairs
  bool operator==(const PairedWin&) const = default;
};

/// Pair i is candidate[i] against baseline[i]. Ties by `tie_tolerance`. InvalidInput for unequal lengths and for
/// values that are not finite.
[[nodiscard]] PairedWin paired_win(std::span<const double> candidate, std::span<const double> baseline,
                                   std::optional<double> resolution = {});

/// Interval of p. Without ties, the method's own. With ties, that of tied_share.hpp by the trinomial law, and the
/// method says so; `bootstrap_exact` and `percentile` use the law of the resampled pairs. Only ties, or no pair: no
/// bounds.
[[nodiscard]] Estimate win_interval(const PairedWin& counts, double alpha = 0.05,
                                    WinMethod method = WinMethod::clopper_pearson);

/// Percentile interval under infinitely many resamples of the pairs, ties included: the score 2 * win + tie of a
/// resample has the generating function ((l + t z + w z^2) / N)^N. O(N^2). Covers too little for small N.
[[nodiscard]] Estimate bootstrap_win_exact(const PairedWin& counts, double alpha = 0.05);

/// An unpaired gamma as a paired one when paired scores of equal spread have correlation r in (-1, 1).
[[nodiscard]] double paired_gamma(double unpaired, double r);

}  // namespace retrial::variance::inline wins
