#pragma once

#include "variance/numbers/estimate.hpp"
#include "variance/wins/win.hpp"

namespace retrial::variance::inline wins {

/// Intervals of p = P(win) + P(tie) / 2 for pairs of which some tie, by the trinomial law of (wins, ties, losses): the
/// share of ties is unknown too. At least one tie and one untied pair, or InvalidInput; alpha in (0, .5).
///
/// `clopper_pearson`: the alpha / 2 quantile of P_win + P_tie / 2 under Dirichlet(wins, ties, losses + 1), and the 1 -
/// alpha / 2 quantile under Dirichlet(wins + 1, ties, losses): Gaffke's bounds of a mean (Gaffke 2005; Learned-Miller
/// and Thomas 2020) for scores of 0, 1/2 and 1, and without ties those of Clopper and Pearson. Their coverage is at
/// least 1 - alpha in every case that was ever summed up, which no proof covers; the tests sum it up.
/// `mid_p`: both quantiles under the mean of these two laws, as without ties; covers 1 - alpha on average only.
/// `wilson`: the score interval with the variance p (1 - p) - s / 4, s the share of ties; on average only.
/// O(pairs) with a few dozen passes. InvalidInput{method} for the laws of the bootstrap, which are in win.hpp.
[[nodiscard]] Estimate tied_share_interval(const PairedWin& counts, double alpha, WinMethod method);

}  // namespace retrial::variance::inline wins
