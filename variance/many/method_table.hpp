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
namespace retrial::variance::inline many {

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
  TestResult corrected;  ///< F from the tie-corrected chi-squared: the default omnibus test
  TestResult uncorrected;
};
[[nodiscard]] ImanDavenport iman_davenport(const MethodTable& table);
/// Hodges and Lehmann 1962: ranks over the whole table of scores minus their data set's mean.
[[nodiscard]] TestResult aligned_ranks(const MethodTable& table);
/// Quade 1979: data sets weighted by the rank of their range.
[[nodiscard]] TestResult quade(const MethodTable& table);

struct OmnibusTest {
  std::string_view name, asks, when;
  TestResult (*run)(const MethodTable&) = nullptr;
  /// The same without the correction for tied scores, to compare with the literature. Null: the test has none.
  TestResult (*uncorrected)(const MethodTable&) = nullptr;
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
};
/// Every pair of methods, first < second.
[[nodiscard]] std::vector<MethodPair> method_pairs(const MethodTable& table, Adjustment how = Adjustment::holm);

}  // namespace retrial::variance::inline many
