#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "variance/comparisons/test_result.hpp"
#include "variance/groups/studentised_range.hpp"
#include "variance/many/multiplicity.hpp"

/// Several variants with independent runs, a list of scores (a group) for each. Not for runs that share seeds: these
/// tests would ignore the pairing and lose its power; their tests are in method_table.hpp. InvalidInput everywhere for
/// fewer than two groups, fewer than two scores in a group, scores that are not finite.
namespace retrial::variance::inline groups {

/// Welch 1951: are all means equal? No equal spreads are assumed, but scores that are roughly normal. F with k - 1 and
/// (k^2 - 1) / (3 sum (1 - w_j / w)^2 / (n_j - 1)) degrees of freedom, w_j = n_j / s_j^2. InvalidInput also for a group
/// without spread, whose weight would be infinite.
[[nodiscard]] TestResult welch_anova(std::span<const std::vector<double>> groups);
/// Games and Howell 1976: every pair of means by the studentized range, with the degrees of freedom of Welch for the
/// pair; first < second. Intervals hold together at level 1 - alpha, approximately. InvalidInput as above.
[[nodiscard]] std::vector<PairOfMeans> games_howell(std::span<const std::vector<double>> groups, double alpha = 0.05);

/// Kruskal and Wallis 1952: do the scores of one group tend to be higher? Chi-squared with k - 1 degrees of freedom,
/// corrected for ties. Only the order of the scores matters; a difference in spread alone can be found, too. No
/// statistic if all scores are tied.
[[nodiscard]] TestResult kruskal_wallis(std::span<const std::vector<double>> groups,
                                        std::optional<double> resolution = {});
/// Mean rank of each group among all scores, 1 = the lowest score, ties by mid-ranks.
[[nodiscard]] std::vector<double> mean_ranks_of_groups(std::span<const std::vector<double>> groups,
                                                       std::optional<double> resolution = {});
struct PairOfRanks {
  std::size_t first = 0, second = 0;
  double difference = 0.0;           ///< mean ranks, first - second
  std::optional<double> z;           ///< absent if all scores are tied
  double p = 1.0, p_adjusted = 1.0;  ///< two-sided
};
/// Dunn 1964: z of every pair of mean ranks, first < second, with the variance N (N + 1) / 12 - sum (t^3 - t) / (12 (N
/// - 1)) of tied ranks.
[[nodiscard]] std::vector<PairOfRanks> dunn(std::span<const std::vector<double>> groups,
                                            Adjustment how = Adjustment::holm, std::optional<double> resolution = {});

struct GroupSettings {
  double alpha = 0.05;
  Adjustment adjust = Adjustment::holm;  ///< only where the row is `adjustable`
  std::optional<double> resolution = {};
  std::size_t control = 0;  ///< place of the group that others are compared with, where the row says `against_control`
};
/// One pair of groups in the report of a test. The test is two-sided: a pair differs where p_adjusted <= alpha.
struct GroupPair {
  std::size_t first = 0, second = 0;
  Estimate difference;      ///< first - second; without bounds where the test has no interval
  std::optional<double> p;  ///< for this pair alone; absent where the test has only simultaneous ones
  double p_adjusted = 1.0;  ///< holds for all pairs together
};
struct GroupResult {
  std::optional<TestResult> omnibus;  ///< "all groups are alike"; absent for tests of pairs alone
  std::vector<GroupPair> pairs;
  std::string_view pairs_method;  ///< "Games-Howell"
};
/// A test of independent groups: one row each.
struct GroupTest {
  std::string_view name, asks, when;
  std::string_view estimand;     ///< quantity that the two of a pair differ in: "mean", "mean rank"
  std::string_view pairs = {};   ///< name of the rule for its pairs; empty: the test is of pairs alone
  bool ordinal = false;          ///< only the order of scores matters
  bool adjustable = false;       ///< pairs take a correction of multiplicity.hpp; others have their own
  bool against_control = false;  ///< pairs are each group against GroupSettings::control
  GroupResult (*run)(std::span<const std::vector<double>>, const GroupSettings&) = nullptr;
};
[[nodiscard]] std::span<const GroupTest> all_group_tests();
/// Null for a name that is not in the table.
[[nodiscard]] const GroupTest* find_group_test(std::string_view name);
/// Runs one test. InvalidInput as above, and for an unknown name. The same scores in another order give the same bits.
[[nodiscard]] GroupResult compare_groups(std::string_view test, std::vector<std::vector<double>> groups,
                                         const GroupSettings& settings = {});

}  // namespace retrial::variance::inline groups
