#pragma once

#include <optional>
#include <string>
#include <vector>

#include "variance/tables/method_table.hpp"

/// Several methods on several data sets where some scores are missing: a method that does not fit into memory, a data
/// set that a paper left out. A score must not be missing because it would have been low: then no test of the rest is
/// valid.
namespace retrial::variance::inline tables {

struct TableWithHoles {
  std::vector<std::string> methods;
  std::vector<std::vector<std::optional<double>>> rows;  ///< rows[data set][method]; higher is better; absent: a hole
};

/// Skillings and Mack 1981: do all methods rank alike? Ranks are given among the k_i methods that a data set has, and
/// weigh sqrt(12 / (k_i + 1)); A_j is the weighted sum of (rank - (k_i + 1) / 2) of method j, and the statistic is A'
/// S^- A with the covariance S of the A_j when each data set's ranks are permuted, chi-squared with k - 1 degrees of
/// freedom. A data set with ties counts in S with the variance of its own mid-ranks, (1 - sum (t^3 - t) / (k_i^3 -
/// k_i)): without ties this is the published statistic, and in a table without holes Friedman's with its tie
/// correction. Data sets with one score or none decide nothing.
/// No statistic if all methods are tied on every data set. Ties that leave methods without a data set that separates
/// them take a degree of freedom each. InvalidInput below two methods or two data sets that have two scores, for rows
/// of another length, scores that are not finite, and for methods that no chain of shared data sets links.
[[nodiscard]] TestResult skillings_mack(const TableWithHoles& table);

/// A_j of each method: negative is better than the other methods on its data sets, and 0 is what equal methods expect.
[[nodiscard]] std::vector<double> weighted_rank_sums(const TableWithHoles& table);

/// Every pair of methods by Wilcoxon's signed ranks over the data sets that have both, first < second. A pair that
/// shares none has p = 1 and counts in the correction.
[[nodiscard]] std::vector<PairOfMethods> pairs_with_holes(const TableWithHoles& table,
                                                          Adjustment how = Adjustment::holm);

}  // namespace retrial::variance::inline tables
