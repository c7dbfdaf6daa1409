#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Several claims in one report: adjusted p values, each at most 1 and never below its own p, in the order given.
namespace retrial::variance::inline many {

enum class Adjustment {
  none,
  bonferroni,  ///< m p
  sidak,       ///< 1 - (1 - p)^m; independent claims
  holm,        ///< Holm 1979, step-down Bonferroni: the default, valid under any dependence
  hochberg,    ///< Hochberg 1988, step-up; claims independent or positively dependent
  hommel,      ///< Hommel 1988, closed Simes test; like Hochberg, never weaker
  finner,      ///< Finner 1993, step-down Sidak with exponents m / i; independent claims
  shaffer,     ///< Shaffer 1986, static: all pairs of k variants, which cannot be true in every combination
  bh,          ///< Benjamini and Hochberg 1995: the false discovery rate, not the chance of any false claim
  by           ///< Benjamini and Yekutieli 2001: the same under any dependence
};
struct AdjustmentRow {
  Adjustment adjustment;
  std::string_view name, controls;
};
/// Every correction by name, and the error rate that it keeps at alpha.
[[nodiscard]] std::span<const AdjustmentRow> all_adjustments();

/// InvalidInput{p[i]} outside [0, 1]; InvalidInput{p} for `shaffer` unless their number is k (k - 1) / 2.
[[nodiscard]] std::vector<double> adjusted(std::span<const double> p, Adjustment how);

/// Multipliers t_1 >= t_2 >= ... of Shaffer's procedure for all pairs of k variants: the max number of pairwise
/// hypotheses that can be true if i - 1 are false. S(k) = union over j of C(j, 2) + S(k - j).
[[nodiscard]] std::vector<std::int64_t> shaffer_multipliers(std::int64_t variants);

/// Dror et al. 2017, for data sets that may depend on each other: p_u = (N - u + 1) p_(u), running maximum, is the p of
/// "the effect is there on at least u data sets"; `count` is the number of u with p_u <= alpha.
struct PartialConjunction {
  std::vector<double> p;
  std::int64_t count = 0;
};
[[nodiscard]] PartialConjunction partial_conjunction(std::span<const double> p, double alpha = 0.05);

}  // namespace retrial::variance::inline many
