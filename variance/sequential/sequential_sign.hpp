#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "variance/wins/decide.hpp"

/// Sequential rules on won and lost pairs, exact: each rule is two thresholds on the wins after n untied pairs, so its
/// error rates follow from a sum over all paths. Ties do not advance n. The fixed rule looks at the untied pairs among
/// a declared number: to it a tie is also one pair fewer (`FixedEnds`).
namespace retrial::variance::inline sequential {

/// e-values, in natural logs. Under their null their expectation is at most 1 at every n and every stopping time.
/// Against p <= 1/2, uniform prior on (1/2, 1].
[[nodiscard]] double log_win_e(std::int64_t wins, std::int64_t n);
/// Against p >= gamma, uniform prior on [0, gamma).
[[nodiscard]] double log_below_gamma_e(std::int64_t wins, std::int64_t n, double gamma);
/// Wald's likelihood ratio of gamma against 1/2.
[[nodiscard]] double log_likelihood_ratio(std::int64_t wins, std::int64_t n, double gamma);
/// Probability that the fixed test of `pairs` pairs ends with at least `critical` wins if the variants are equal, given
/// the wins so far. Divided by alpha it is an e-value (Koning and van Meer 2025): watching it costs no power. Every tie
/// changes `critical` and `pairs`: then it is one after each number of pairs, but not at all of them together.
[[nodiscard]] double conditional_rejection(std::int64_t wins, std::int64_t n, std::int64_t critical,
                                           std::int64_t pairs);

enum class SignFamily {
  curtailed,  ///< the fixed rule, stopped once its verdict can no longer change; without gamma the sign test, which
              ///< says WORSE in place of NOT MEANINGFUL
  sprt,       ///< Wald 1945: 1/2 against gamma
  mixture_e,  ///< e-value against 1/2, both directions, alpha each
  dual_e      ///< e-value against 1/2 for BETTER, e-value against gamma for NOT MEANINGFUL; both at once: BETTER
};

/// Thresholds for n = 0 .. horizon. The rule decides at wins <= low[n] (-1: impossible) or wins >= high[n] (n + 1:
/// impossible). A bounded plan also ends, INCONCLUSIVE, at dead_from[n] <= wins <= dead_to[n]: no further pairs can
/// decide.
struct SignPlan {
  SignFamily family = SignFamily::dual_e;
  std::int64_t horizon = 0;
  bool bounded = true;  ///< ends at the horizon
  Status low_means = Status::not_meaningful;
  std::vector<std::int64_t> low, high;
  std::vector<std::int64_t> dead_from, dead_to;  ///< empty for an open plan and with a band; from > to: none
  /// With a band: EQUIVALENT at equal_from[n] <= wins <= equal_to[n]; from > to: none. Empty without a band.
  std::vector<std::int64_t> equal_from, equal_to;
  std::vector<std::vector<std::optional<Status>>> settled;  ///< [n][wins], with a band
  /// Verdict for `wins` of n untied pairs; absent: continue.
  [[nodiscard]] std::optional<Status> verdict(std::int64_t wins, std::int64_t n) const;
};
/// A plan that ends at `horizon` (1 to 100,000 pairs), with exact curtailment: it stops as soon as no continuation
/// changes the verdict.
[[nodiscard]] SignPlan bounded_plan(SignFamily family, std::int64_t horizon, const Levels& levels = {});
/// Win rates around 1/2 that count as equal: 0 < first < 1/2 < second < 1.
using Band = std::pair<double, double>;
/// dual_e that may also say EQUIVALENT: evidence alpha against a win rate of band.second or more and against a win rate
/// of band.first or less. NOT MEANINGFUL, which would come much earlier, then ends it early only with evidence against
/// band.first too; otherwise it waits for the horizon (1 to 1,000 pairs). Precedence BETTER, EQUIVALENT, NOT
/// MEANINGFUL.
[[nodiscard]] SignPlan dual_plan_with_band(std::int64_t horizon, const Band& band, const Levels& levels = {});
/// A plan without an end, with thresholds up to `horizon`. InvalidInput{family} for `curtailed`, which has an end.
[[nodiscard]] SignPlan open_plan(SignFamily family, std::int64_t horizon, const Levels& levels = {});

/// The fixed rule on its way to the end: what it will say of `untied` pairs, all that can still be untied, decides at
/// <= low wins (-1: impossible) or >= high wins (untied + 1: impossible).
struct FixedEnds {
  std::int64_t untied = 0, low = -1, high = 1;
  Status low_means = Status::not_meaningful;
  /// The verdict for `wins` of n untied pairs, if no win, loss or tie of the pairs to come can change it. Exact: one
  /// untied pair more leaves each threshold where it is or raises it by one, so the outcomes farthest apart are those
  /// in which all pairs to come are won and all are lost, and ties are between.
  [[nodiscard]] std::optional<Status> settled(std::int64_t wins, std::int64_t n) const;
};
[[nodiscard]] FixedEnds fixed_ends(std::int64_t untied, const Levels& levels = {});

struct Operating {
  double better = 0.0;     ///< P(BETTER): the size at p = 1/2, the power at gamma
  double against = 0.0;    ///< P(the verdict that `low_means` names)
  double undecided = 0.0;  ///< P(undecided at the horizon)
  double equivalent = 0.0;
  double pairs = 0.0;  ///< mean number of untied pairs
};
/// Operating characteristics if the candidate wins each untied pair with probability p: an exact sum over all paths,
/// O(horizon^2).
[[nodiscard]] Operating operating(const SignPlan& plan, double p);

}  // namespace retrial::variance::inline sequential
