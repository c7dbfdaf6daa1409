#pragma once

#include <cstdint>
#include <span>

/// The smallest p that few runs, or scores that repeat, can reach. If two variants are equal, exchanging labels changes
/// nothing: every relabelling of the scores is equally likely, and no exact law has a p below that of one of them. A
/// smaller p comes from an assumed continuous law of the scores, which scores that repeat do not have.
namespace retrial::variance::inline comparisons {

/// One of the 2^pairs signs of as many differences, one-sided: 2^-pairs. pairs >= 0.
[[nodiscard]] double least_sign_p(std::int64_t pairs);
/// One of the C(n + m, n) labelings of n + m runs, one-sided. n, m >= 1.
[[nodiscard]] double least_label_p(std::int64_t n, std::int64_t m);

/// Smallest number of pairs, and of runs of each variant, whose least p is at most `level`; level in (0, 1).
[[nodiscard]] std::int64_t pairs_to_decide(double level);
[[nodiscard]] std::int64_t runs_to_decide(double level);

/// The least one-sided p of a test of a mean. Both are 0 for scores that do not repeat.
struct LeastP {
  double less = 0.0, greater = 0.0;
  bool repeats = false;    ///< the scores repeat
  std::int64_t count = 0;  ///< differences that are not 0
};

/// From differences of pairs; they repeat if two have one size or one is 0. Of one or two sizes: the exact law of their
/// signs (of one size, the sign test). Of more: 2^-count. Sizes are equal within `tolerance`, or within 1e-9 of the
/// largest, which is rounding noise of decimal scores.
[[nodiscard]] LeastP least_p_of_signs(std::span<const double> differences, double tolerance = 0.0);
/// From independent runs; they repeat if two are equal, within 1e-12 of the largest. Of two values: the exact law of
/// their labels (Fisher 1935). Of more: 1 / C(n + m, n).
[[nodiscard]] LeastP least_p_of_labels(std::span<const double> candidate, std::span<const double> baseline);

}  // namespace retrial::variance::inline comparisons
