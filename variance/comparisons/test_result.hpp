#pragma once

#include <algorithm>
#include <optional>
#include <string>

namespace retrial::variance::inline comparisons {

/// The result of a classical test. Alternatives: the first sample (the candidate) is lower, greater, different.
struct TestResult {
  std::optional<double> statistic;  ///< absent if it is 0 / 0
  std::optional<double> df;         ///< for F: df of the numerator
  std::optional<double> df_within;  ///< for F: df of the denominator
  double p_less = 1.0, p_greater = 1.0, p_two = 1.0;
  bool drawn = false;  ///< from keyed draws: the result depends on the seed
  bool exact = false;  ///< from the exact law, without approximation or resampling
  std::string method;  ///< e.g. "exact permutation law"
  std::string note;    ///< a caveat for readers; may be empty
};

/// Twice the smaller tail, at most 1: the two-sided p of every permutation law here. The rule "at least as far from the
/// center" gives other values under ties and is not used.
[[nodiscard]] inline double doubled_tail(double p_less, double p_greater) {
  return std::min(1.0, 2.0 * std::min(p_less, p_greater));
}

}  // namespace retrial::variance::inline comparisons
