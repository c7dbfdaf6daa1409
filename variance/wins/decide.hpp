#pragma once

#include <cstdint>
#include <optional>

#include "variance/comparisons/status.hpp"

/// Decision rules for paired wins, and the pairs they need. All counts are of untied pairs: a rule conditions on the
/// ties. Every probability is exact (incomplete beta); only `noether` is a normal approximation.
namespace retrial::variance::inline wins {

/// The win rate for which power is given where no gamma is declared. An assumption, and named as one wherever it shows.
inline constexpr double assumed_win_rate = 0.75;

/// The error rates that a design tolerates. InvalidInput unless alpha, beta in (0, .5) and gamma in (.5, 1).
struct Levels {
  double alpha = 0.05;  ///< probability of BETTER for two equal variants; one-sided, per directional claim
  double beta = 0.05;   ///< probability of NOT MEANINGFUL for a variant that wins gamma of the pairs
  /// Smallest share of pairs won that counts as a meaningful advantage. Absent: no share was called meaningful; nothing
  /// is then NOT MEANINGFUL.
  std::optional<double> gamma = 0.75;
  [[nodiscard]] double win_rate() const { return gamma.value_or(assumed_win_rate); }  ///< for figures of power
};
void require_levels(const Levels& levels);
/// For rules that test against gamma. InvalidInput{gamma} if it is absent.
[[nodiscard]] double required_gamma(const Levels& levels);

enum class NoetherDesign {
  wmw_per_group,  ///< unpaired, all pairs of runs compared (Wilcoxon-Mann-Whitney): runs for each variant
  sign_pairs      ///< paired, each pair won or lost: pairs
};
struct NormalSize {
  double exact = 0.0;
  std::int64_t n = 0;  ///< rounded up
};
/// Sample size by the normal approximation of Noether (1987). The published N = 29 is `wmw_per_group` at the defaults,
/// used for a paired rule that needs `sign_pairs`: 44.
[[nodiscard]] NormalSize noether(const Levels& levels, NoetherDesign design);

/// Min wins out of n with P(Bin(n, 1/2) >= wins) <= alpha; absent if even n wins do not suffice.
[[nodiscard]] std::optional<std::int64_t> critical_wins(std::int64_t n, double alpha);

struct SignDesign {
  std::int64_t pairs = 0, wins_needed = 0;
  double size = 0.0, power = 0.0;
  std::int64_t stable_pairs = 0;  ///< the power stays above 1 - beta from here on; before, the curve is saw-toothed
};
/// Min pairs for which the exact one-sided sign test of size <= alpha has power >= 1 - beta at levels.win_rate().
/// InvalidInput{gamma} if more than 200,000 pairs could be needed.
[[nodiscard]] SignDesign exact_sign_design(const Levels& levels);

/// The possible verdicts of the fixed rule after n untied pairs.
struct FixedRule {
  std::int64_t pairs = 0;
  std::optional<std::int64_t> better_from;                ///< BETTER with at least this many wins; absent: never
  std::optional<std::int64_t> not_meaningful_to;          ///< NOT MEANINGFUL with at most this many wins (if not WORSE)
  double size = 0.0;                                      ///< P(BETTER) for two equal variants
  double power = 0.0;                                     ///< P(BETTER) for a candidate that wins levels.win_rate()
  double min_p = 1.0;                                     ///< p if all pairs are won: 2^-pairs
  [[nodiscard]] Status verdict(std::int64_t wins) const;  ///< `wins` of the pairs
};
[[nodiscard]] FixedRule fixed_rule(std::int64_t pairs, const Levels& levels);

/// P(Bin(n, gamma) <= w) <= beta: few enough wins that a win rate of gamma is ruled out. Without gamma nothing is.
[[nodiscard]] bool excludes_gamma(std::int64_t wins, std::int64_t pairs, const Levels& levels);
/// A probability is at most a limit. Exact tails are dyadic and may equal it: five wins of five at alpha = 1 / 32.
[[nodiscard]] bool at_most(double probability, double limit);

/// The exact fixed rule: BETTER iff P(Bin(n, 1/2) >= w) <= alpha and not P(Bin(n, gamma) <= w) <= beta, WORSE the same
/// with the variants exchanged, NOT MEANINGFUL iff P(Bin(n, gamma) <= w) <= beta, INCONCLUSIVE otherwise. Without gamma
/// it is the exact sign test: BETTER, WORSE or INCONCLUSIVE. n = 0 is INCONCLUSIVE.
[[nodiscard]] Status pab_exact(std::int64_t wins, std::int64_t pairs, const Levels& levels = {});

struct MorePairs {
  std::optional<std::int64_t> pairs;  ///< absent: more than ten times the pairs so far
  double probability = 0.0;           ///< of a decision after `pairs` more; if absent, after the largest number tried
};
/// Pairs that a new design would have to add to end with a verdict other than INCONCLUSIVE with probability >= .8, if
/// the candidate keeps winning (wins + 1) / (pairs + 2) of them. Advice only: a fixed design may not be extended.
[[nodiscard]] MorePairs more_pairs(std::int64_t wins, std::int64_t pairs, const Levels& levels = {});

}  // namespace retrial::variance::inline wins
