#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "variance/comparisons/test_result.hpp"
#include "variance/many/multiplicity.hpp"

/// Several methods on several data sets (Demsar 2006): one score per method and data set, higher is better, rank 1 =
/// best. Ranks depend on which methods take part, and groups that "do not differ" are not transitive: for a claim about
/// two methods, their own test with a correction (`method_pairs`) is safer.
namespace retrial::variance::inline tables {

struct MethodTable {
  std::vector<std::string> methods;
  std::vector<std::vector<double>> rows;  ///< rows[data set][method]
};
/// InvalidInput below two methods or two data sets, for rows of another length, scores that are not finite.
void require_table(const MethodTable& table);

/// Mean rank of each method.
[[nodiscard]] std::vector<double> mean_ranks(const MethodTable& table);

/// Omnibus tests of "all methods rank alike"; the p value is p_two (they have no direction).
struct Friedman {
  TestResult corrected;    ///< Friedman 1937, chi-squared over the tie factor
  TestResult uncorrected;  ///< as printed in the literature
};
[[nodiscard]] Friedman friedman(const MethodTable& table);
struct ImanDavenport {
  TestResult corrected;  ///< F of the tie-corrected chi-squared: the default; p is exact where F is infinite
  TestResult uncorrected;
};
[[nodiscard]] ImanDavenport iman_davenport(const MethodTable& table);
/// Hodges and Lehmann 1962: ranks over the whole table of scores minus their data set's mean.
[[nodiscard]] TestResult aligned_ranks(const MethodTable& table);
/// Quade 1979: data sets weighted by the rank of their range.
[[nodiscard]] TestResult quade(const MethodTable& table);
/// Cochran 1950: rows are items that a method has right (1) or wrong (0); chi-squared with k - 1 degrees of freedom.
/// For two methods McNemar's chi-squared without continuity correction. InvalidInput for a score other than 0 and 1; no
/// statistic if every item is right for all methods or for none.
[[nodiscard]] TestResult cochran_q(const MethodTable& table);

/// Kendall and Babington Smith 1939: chi-squared of Friedman, corrected for ties, over its maximum N (k - 1). 0: the
/// data sets do not agree on the ranks; 1: all rank the methods alike. Absent if all methods are tied everywhere.
[[nodiscard]] std::optional<double> kendall_w(const MethodTable& table);

struct OmnibusTest {
  std::string_view name, asks, when;
  TestResult (*run)(const MethodTable&) = nullptr;
  /// The same without the correction for tied scores, to compare with the literature. Null: the test has none.
  TestResult (*uncorrected)(const MethodTable&) = nullptr;
  bool bits = false;   ///< scores are 1 (right) or 0 (wrong), one item per row
  bool holes = false;  ///< also for a TableWithHoles (table_with_holes.hpp)
};
/// Every omnibus test: one row each.
[[nodiscard]] std::span<const OmnibusTest> all_omnibus_tests();
/// Null for a name that is not in the table.
[[nodiscard]] const OmnibusTest* find_omnibus(std::string_view name);

/// Critical difference of two mean ranks: Nemenyi for all pairs, Bonferroni-Dunn against one control.
[[nodiscard]] double nemenyi_distance(std::int64_t methods, std::int64_t data_sets, double alpha = 0.05);
/// Longest runs of methods (places in the table, best first) whose mean ranks are within `distance`; single methods are
/// left out. For display.
[[nodiscard]] std::vector<std::vector<std::size_t>> rank_groups(const std::vector<double>& ranks, double distance);

struct MethodPair {
  std::size_t first = 0, second = 0;
  double z = 0.0;  ///< (rank - rank) / sqrt(k (k + 1) / (6 N)); positive: the first method ranks worse
  double p_ranks = 1.0, p_ranks_adjusted = 1.0;        ///< two-sided, of z
  double p_wilcoxon = 1.0, p_wilcoxon_adjusted = 1.0;  ///< two-sided signed ranks of the two methods alone
  /// The signed ranks favor the first method. The mean ranks may disagree: they depend on the other methods, too.
  bool first_ahead = false;
};
/// Two methods by a test of their own, over the rows that have a score of both.
struct PairOfMethods {
  std::size_t first = 0, second = 0;
  std::int64_t rows = 0;             ///< rows with a score of both
  bool first_ahead = false;          ///< the test favors the first method
  double p = 1.0, p_adjusted = 1.0;  ///< two-sided
};
/// Every pair of columns of 0 and 1 by McNemar's exact test, first < second. InvalidInput as for `cochran_q`.
[[nodiscard]] std::vector<PairOfMethods> item_pairs(const MethodTable& table, Adjustment how = Adjustment::holm);

/// Every pair of methods, first < second.
[[nodiscard]] std::vector<MethodPair> method_pairs(const MethodTable& table, Adjustment how = Adjustment::holm);

}  // namespace retrial::variance::inline tables
