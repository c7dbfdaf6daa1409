#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "variance/comparisons/least_p.hpp"
#include "variance/numbers/estimate.hpp"

/// Tests on paired differences; absent if there are too few pairs. Student's law is that of continuous scores. Where
/// differences repeat, no p is below the one that their signs allow (`least_p_of_signs`): it is never 0, and two
/// equal differences have 1/4.
namespace retrial::variance::inline means {

struct PairedOptions {
  double alpha = 0.05;  ///< interval of level 1 - alpha; in (0, 1), since equivalence needs 1 - 2 alpha
  double overlap =
      0.0;  ///< rho of the corrected resampled t: 0 for independent seeds, n_test / n_train for random splits
  double tolerance = 0.0;  ///< differences that spread by at most this are equal; a mean of at most this size is zero
};

struct PairedT {
  std::optional<double> statistic;  ///< absent if it is 0 / 0
  double df = 0.0;
  double p_less = 1.0, p_greater = 1.0, p_two = 1.0;  ///< alternatives mean < 0, mean > 0, mean != 0
  /// Mean difference, in the unit of the scores. Differences without spread have bounds, both the mean itself, where
  /// their number alone supports them (2^-J <= alpha / 2), and none below.
  Estimate mean;
  bool degenerate = false;  ///< no spread: the statistic is infinite, or undefined with p 1
  LeastP least;             ///< smallest p of the signs; 0 where Student's law applies
  bool by_signs = false;    ///< the smaller p is that of the signs, since Student's is smaller still
};
/// t = mean / sqrt((1/J + overlap) s^2) with J - 1 degrees of freedom (Nadeau and Bengio 2003). Absent below two.
[[nodiscard]] std::optional<PairedT> paired_t(std::span<const double> differences, const PairedOptions& options = {});

struct Tost {
  double p_above = 1.0;  ///< p for the hypothesis mean <= -margin
  double p_below = 1.0;  ///< p for the hypothesis mean >= margin
  bool equivalent = false;
  bool by_signs = false;  ///< the p of the claim is that of signs, since Student's is smaller
  [[nodiscard]] double p() const { return p_above > p_below ? p_above : p_below; }
};
/// Two one-sided tests (Schuirmann 1987): equivalent if both reject at options.alpha. Each p is at least the one that
/// the signs of the distances from its margin allow. margin > 0, in the unit of the differences. Absent below two.
[[nodiscard]] std::optional<Tost> tost(std::span<const double> differences, double margin,
                                       const PairedOptions& options = {});

struct RunsTest {
  std::int64_t above = 0, below = 0, runs = 0;
  double mean = 0.0, variance = 0.0, z = 0.0;
  double p_less = 1.0, p_greater = 1.0, p_two = 1.0;  ///< exact; two-sided is twice the smaller, at most 1
};
/// Wald and Wolfowitz 1940: runs of values above and below the median in the order given, without values within
/// `tolerance` of it. Detects a drift along the list. Absent if one side is empty.
[[nodiscard]] std::optional<RunsTest> runs_test(std::span<const double> values, double tolerance = 0.0);
/// The same for signs as given.
[[nodiscard]] std::optional<RunsTest> runs_of_signs(std::span<const int> signs);

/// (s_A^2 + s_B^2) / s^2 of the differences: unpaired runs would need this many times as many. Absent below two pairs
/// and if the differences do not vary.
[[nodiscard]] std::optional<double> pairing_gain(std::span<const double> candidate, std::span<const double> baseline,
                                                 double tolerance = 0.0);

}  // namespace retrial::variance::inline means
