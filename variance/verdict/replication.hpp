#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "variance/comparisons/comparisons.hpp"
#include "variance/verdict/verdict.hpp"

/// Probability that the same study with new seeds would give the same verdict.
namespace retrial::variance::inline verdict {

/// The point is the posterior predictive probability (Goodman 1992, there with a flat prior; Shao and Chow 2002, 3):
/// what is not known about the variants is averaged over. The interval is that of the probability itself under the same
/// posterior, of level 1 - alpha: one study says little about the next, so it is wide. Killeen's p_rep, a function of p
/// alone, is not used.
struct Replication {
  Estimate probability;
  std::int64_t studies = 0;  ///< simulated; 0: exact
  std::string why = {};      ///< why there is no number; empty: there is one
};

/// The rule pab_exact after as many pairs as were judged now, without a margin. Wins, ties and losses of the new study
/// follow the trinomial law; their shares have a Dirichlet posterior from the prior (1/2, 0, 1/2): Jeffreys' for wins
/// against losses, and ties are expected only where some were seen. The point is the sum of the Dirichlet-multinomial
/// law, the interval quantiles over 400 equally likely win shares and, with ties, 20 tie shares. `status` is what the
/// counts mean under the design. No number beyond 2,000 pairs.
[[nodiscard]] Replication replication_of_counts(const PairedWin& counts, Status status, const Design& design);

/// One test of the table on as many runs again. The runs of a new study are drawn from the given ones, weighted by a
/// Bayesian bootstrap (Rubin 1981): 200 weightings with up to 50 studies each. No number for tests that draw random
/// numbers themselves, for scores with an order, below five runs of a variant, where exact rank laws of that many runs
/// would take long, and without a key.
[[nodiscard]] Replication replication_of_test(std::string_view test, const std::vector<double>& candidate,
                                              const std::vector<double>& baseline, const TestSettings& settings,
                                              Status status);

/// Replication of a fixed design: by its counts, or by redrawn pairs where a margin or another test decides.
/// Absent for an INVALID verdict, which has nothing to repeat, and for a sequential design.
[[nodiscard]] std::optional<Replication> replication_of(const Verdict& verdict, const PairedScores& scores);

}  // namespace retrial::variance::inline verdict
