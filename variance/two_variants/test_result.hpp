#pragma once

#include <algorithm>
#include <optional>
#include <string>

namespace retrial::variance::inline two_variants {

/// The result of a classical test. Alternatives: the first sample (the candidate) is lower, greater, different.
struct TestResult {
  std::optional<double> statistic;  ///< absent when it is 0 / 0
  std::optional<double> df;         ///< of F: of the numerator
  std::optional<double> df_within;  ///< of F: of the denominator
  double p_less = 1.0, p_greater = 1.0, p_two = 1.0;
  bool drawn = false;  ///< from keyed draws: the seed belongs to the result
  bool exact = false;  ///< from the exact law, no approximation and no resampling
  std::string method;  ///< e.g. "exact permutation law"
  std::string note;    ///< what a reader must know; empty: nothing
};

/// Twice the smaller tail, at most 1: the two-sided p of every permutation law here. The rule "as far from the center"
/// gives other values under ties and is not used.
[[nodiscard]] inline double doubled_tail(double p_less, double p_greater) {
  return std::min(1.0, 2.0 * std::min(p_less, p_greater));
}

}  // namespace retrial::variance::inline two_variants
