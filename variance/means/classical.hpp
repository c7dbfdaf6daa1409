#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "variance/comparisons/labelling.hpp"
#include "variance/comparisons/test_result.hpp"
#include "variance/numbers/estimate.hpp"

/// Tests of means and of proportions on a fixed number of runs. The candidate comes before the baseline; the caller
/// orients the scores so that higher is better. The paired t and TOST are in paired.hpp, rank tests in ranks.hpp.
namespace retrial::variance::inline means {

struct MeanTest {
  TestResult test;
  bool by_labels =
      false;            ///< the smaller p is that of the labels (`least_p_of_labels`), since that of t is smaller still
  Estimate difference;  ///< candidate - baseline, in the unit of the scores; level 1 - alpha
};

/// Welch 1947: t = (mean - mean) / sqrt(s_A^2 / n + s_B^2 / m), df of Satterthwaite. InvalidInput below two runs each.
/// Where scores repeat, no p is below the one that their labels allow: it is never 0, and two equal runs against two
/// others have 1/6. Two samples without spread: t infinite if the means differ, else no statistic and p 1; `note`
/// states it, and the interval has bounds, both the difference itself, where the number of runs alone supports them.
[[nodiscard]] MeanTest welch_t(std::span<const double> candidate, std::span<const double> baseline,
                               double alpha = 0.05);

/// |mean difference| < margin by two one-sided Welch tests; p_two is the larger of the two, the p of the claim. The
/// interval has level 1 - 2 alpha. margin > 0.
[[nodiscard]] MeanTest welch_equivalence(std::span<const double> candidate, std::span<const double> baseline,
                                         double margin, double alpha = 0.05);

/// Sign flips of paired differences; statistic: their mean. Exact up to 20 pairs with the default `enumerate_to`.
[[nodiscard]] TestResult paired_permutation(std::span<const double> differences, const Relabelling& how = {});
/// Exchange of labels between two independent samples; statistic: difference of means.
[[nodiscard]] TestResult permutation_test(std::span<const double> candidate, std::span<const double> baseline,
                                          const Relabelling& how = {});

/// Dietterich 1998, for five replications of two-fold cross-validation, differences in the order p_1^(1), p_1^(2),
/// p_2^(1), ...: t = p_1^(1) / sqrt(mean s_i^2), 5 df. InvalidInput{differences} unless there are ten.
[[nodiscard]] TestResult five_by_two_t(std::span<const double> differences);
/// Alpaydin 1999, all ten differences: F = sum p^2 / (2 sum s_i^2), df (10, 5). p_less and p_greater halve the
/// two-sided p by the sign of the mean difference.
[[nodiscard]] TestResult five_by_two_f(std::span<const double> differences);

/// McNemar 1947 on items that only one of two classifiers gets right.
struct McNemar {
  double chi_squared = 0.0;  ///< (|b - c| - 1)^2 / (b + c), 1 df; 0 without discordant items
  double p_chi_squared = 1.0, p_exact = 1.0, p_mid = 1.0;  ///< two-sided
  double p_less = 1.0, p_greater = 1.0;                    ///< exact, one-sided
  double mid_less = 1.0, mid_greater = 1.0;                ///< one-sided mid-p
};
/// `wins`: items only the candidate gets right; `losses`: only the baseline. InvalidInput if negative.
[[nodiscard]] McNemar mcnemar(std::int64_t wins, std::int64_t losses);

}  // namespace retrial::variance::inline means
