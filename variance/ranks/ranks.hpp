#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "variance/comparisons/labelling.hpp"
#include "variance/comparisons/test_result.hpp"
#include "variance/numbers/estimate.hpp"
#include "variance/wins/pooled_runs.hpp"

/// Rank tests of two variants. Ties by `tie_tolerance` (chain rule), or within a given tolerance.
namespace retrial::variance::inline ranks {

/// Mann and Whitney 1947. `statistic` is U: pairs of runs that the candidate wins, ties count as half.
struct MannWhitney {
  TestResult test;
  double min_p = 1.0;  ///< smallest attainable two-sided p
};
/// The exact permutation law up to 100 runs each, ties included (a dynamic program over tie groups, O(N n^2 m);
/// without ties a product, O(n^2 m)); above, the normal approximation with tie and continuity correction. Ties alone
/// never switch to the approximation.
[[nodiscard]] MannWhitney mann_whitney(std::span<const double> candidate, std::span<const double> baseline,
                                       std::optional<double> resolution = {});
[[nodiscard]] MannWhitney mann_whitney(const PooledRuns& runs);
/// P(2U = u), u = 0 .. 2 n m, of the permutation law of these runs, ties included. Meant for 100 runs each at most.
[[nodiscard]] std::vector<double> doubled_u_law(const PooledRuns& runs);
/// The normal approximation at any size, for comparison with other tools.
[[nodiscard]] TestResult mann_whitney_normal(std::span<const double> candidate, std::span<const double> baseline,
                                             std::optional<double> resolution = {});

enum class BrunnerMunzelLaw {
  automatic,    ///< permutation below 20 runs each, else t
  permutation,  ///< all C(n + m, n) labelings up to 20,000, else draws
  student       ///< liberal when small: size .072 at 5 v 5, .055 at 10 v 10 for .05
};
/// Brunner and Munzel 2000; W > 0 if the candidate is greater. Complete separation: W infinite, p from the permutation
/// law in either case. Only ties: no statistic, p 1. InvalidInput below two runs each.
[[nodiscard]] TestResult brunner_munzel(std::span<const double> candidate, std::span<const double> baseline,
                                        BrunnerMunzelLaw law = BrunnerMunzelLaw::automatic, Relabelling how = {},
                                        std::optional<double> resolution = {});
[[nodiscard]] TestResult brunner_munzel(const PooledRuns& runs, BrunnerMunzelLaw law = BrunnerMunzelLaw::automatic,
                                        Relabelling how = {});

enum class Zeros {
  drop,  ///< Wilcoxon 1945: zero differences leave before ranking
  pratt  ///< Pratt 1959: zero differences are ranked, then left out of both sums
};
struct Wilcoxon {
  TestResult test;  ///< statistic: W+
  double w_plus = 0.0, w_minus = 0.0;
  std::int64_t used = 0;  ///< differences that are not zero
  double min_p = 1.0;     ///< smallest attainable two-sided p
};
/// Signed ranks of paired differences: exact law with mid-ranks, product of (1 + z^(2 r_i)) / 2, up to 200 nonzero
/// differences; above, normal with the variance of the mid-ranks, no continuity correction. Differences within
/// `tolerance` of zero are zero; within `tolerance` of each other they are tied. All zero: no statistic, p 1.
[[nodiscard]] Wilcoxon wilcoxon(std::span<const double> differences, double tolerance = 0.0, Zeros zeros = Zeros::drop);
/// Hodges and Lehmann 1963: median of the n (n + 1) / 2 means of two differences, with the exact interval of the
/// signed-rank law without ties; no bounds if n is too small for the level. O(n^2 log n), at most 5,000 differences.
[[nodiscard]] Estimate hodges_lehmann(std::span<const double> differences, double alpha = 0.05);

/// P(W <= s), s = 0 .. n (n + 1) / 2, of the sum W of the ranks with a plus when all signs of the ranks 1 .. n are
/// equally likely: a symmetric law. The law of the last n is cached per thread, since many claims and simulations use
/// the same one: the reference is valid until the next call in this thread.
[[nodiscard]] std::span<const double> signed_rank_at_most(std::size_t n);
/// Hodges and Lehmann 1963 for two samples: median of the n m differences candidate[i] - baseline[j], the shift between
/// two distributions of one shape. Interval of Moses: differences cut off at either end by Mann and Whitney's law
/// without ties; ties only widen it. The law is exact while its labelings fit 64 bits (33 against 33), above that
/// normal with continuity correction. No bounds if the runs are too few for the level. O((n + m) log(n + m)), without
/// the list of differences. InvalidInput for an empty sample and for values that are not finite.
[[nodiscard]] Estimate hodges_lehmann_shift(std::span<const double> candidate, std::span<const double> baseline,
                                            double alpha = 0.05);

/// True if the labelings of n + m runs without ties can be counted in 64 bits.
[[nodiscard]] bool rank_sum_law_counts(std::int64_t n, std::int64_t m);
/// P(U <= u), u = 0 .. n m, of Mann and Whitney's U when all labelings are equally likely and nothing is tied; P(U >=
/// u) = P(U <= n m - u). Counted in integers: the coefficients of the product of (1 - z^(m+i)) / (1 - z^i), i = 1 .. n.
/// The law of the last n and m is cached per thread, since many claims and simulations use the same one: the reference
/// is valid until the next call in this thread.
[[nodiscard]] std::span<const double> rank_sum_at_most(std::int64_t n, std::int64_t m);

}  // namespace retrial::variance::inline ranks
