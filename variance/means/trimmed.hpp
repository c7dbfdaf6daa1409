#pragma once

#include <optional>
#include <span>

#include "variance/means/classical.hpp"

/// Tests of means without the largest and the smallest fifth of the scores: a few runs that are far out decide nothing.
namespace retrial::variance::inline means {

/// Yuen 1974: t of two trimmed means, 20 % of each sample cut off at either end (n / 5 runs, rounded down), with
/// Winsorized variances and Satterthwaite's degrees of freedom. InvalidInput below five runs each, where nothing would
/// be cut off. Two samples whose middle does not vary: no statistic, p 1, no bounds; `note` says so. SciPy:
/// ttest_ind(equal_var=False, trim=.2).
[[nodiscard]] MeanTest yuen(std::span<const double> candidate, std::span<const double> baseline, double alpha = 0.05);
/// Tukey and McLaughlin 1963: the same of paired differences against 0, in Yuen's form of the standard error, h - 1
/// degrees of freedom for the h differences that are kept. What seeds have in common is gone before anything is
/// trimmed; Wilcox's yuend trims both sides first and asks about another quantity. Simulated
/// size at alpha .05 a side: .047 to .057 from six pairs on, which compare() demands, up to .068 with five.
/// InvalidInput below five pairs.
[[nodiscard]] MeanTest yuen_paired(std::span<const double> differences, double alpha = 0.05, double tolerance = 0.0);

}  // namespace retrial::variance::inline means
