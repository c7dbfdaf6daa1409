#include "variance/many/method_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "variance/many/method_table_parts.hpp"
#include "variance/many/studentised_range.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/numbers/sample.hpp"
#include "variance/numbers/summary.hpp"
#include "variance/numbers/ties.hpp"
#include "variance/random/rng.hpp"
#include "variance/two_variants/ranks.hpp"

namespace retrial::variance::inline many {
using namespace method_tables;

void require_table(const MethodTable& table) {
  require_at_least("methods", static_cast<std::int64_t>(table.methods.size()), 2);
  require_at_least("data sets", static_cast<std::int64_t>(table.rows.size()), 2);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string field = "rows[" + std::to_string(i) + "]";
    if (table.rows[i].size() != table.methods.size())
      throw InvalidInput(field, std::to_string(table.rows[i].size()) + " scores",
                         "one for each of " + std::to_string(table.methods.size()) + " methods");
    require_finite(field, table.rows[i]);
  }
}

std::vector<double> mean_ranks(const MethodTable& table) {
  require_table(table);
  std::vector<double> result;
  for (const std::int64_t sum : column_sums(doubled_ranks(table)))
    result.push_back(static_cast<double>(sum) / 2.0 / static_cast<double>(table.rows.size()));
  return result;
}

std::span<const OmnibusTest> all_omnibus_tests() {
  static const std::vector<OmnibusTest> rows{
      {"iman_davenport", "do all methods rank alike over the data sets?",
       "three or more methods on several data sets: the default omnibus test",
       [](const MethodTable& table) { return iman_davenport(table).corrected; }},
      {"friedman", "do all methods rank alike over the data sets?",
       "the same by chi-squared, too conservative with few data sets; for comparison with the literature",
       [](const MethodTable& table) { return friedman(table).corrected; }},
      {"aligned_ranks", "do all methods rank alike, after each data set's mean is subtracted?",
       "few methods (up to five) whose scores are comparable between data sets", aligned_ranks},
      {"quade", "do all methods rank alike, with more weight on data sets of wide range?",
       "few methods; data sets differ in how well they separate methods", quade},
  };
  return rows;
}

const OmnibusTest* find_omnibus(std::string_view name) {
  const auto rows = all_omnibus_tests();
  const auto found = std::ranges::find(rows, name, &OmnibusTest::name);
  return found == rows.end() ? nullptr : &*found;
}

double nemenyi_distance(std::int64_t methods, std::int64_t data_sets, double alpha) {
  require_between("alpha", alpha, 0.0, 1.0);
  require_at_least("methods", methods, 2);
  require_at_least("data sets", data_sets, 2);
  const double k = static_cast<double>(methods), n = static_cast<double>(data_sets);
  const double q = studentised_range_quantile(1.0 - alpha, methods, std::numeric_limits<double>::infinity());
  return q / std::sqrt(2.0) * std::sqrt(k * (k + 1.0) / (6.0 * n));
}

std::vector<std::vector<std::size_t>> rank_groups(const std::vector<double>& ranks, double distance) {
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto i, auto j) { return ranks[i] != ranks[j] ? ranks[i] < ranks[j] : i < j; });
  std::vector<std::vector<std::size_t>> groups;
  std::size_t reached = 0;  // end of the previous group
  for (std::size_t first = 0; first < order.size(); ++first) {
    std::size_t end = first + 1;
    while (end < order.size() && ranks[order[end]] - ranks[order[first]] <= distance) ++end;
    if (end - first < 2 || end <= reached) continue;
    groups.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(first),
                        order.begin() + static_cast<std::ptrdiff_t>(end));
    reached = end;
  }
  return groups;
}

std::vector<MethodPair> method_pairs(const MethodTable& table, Adjustment how) {
  const auto ranks = mean_ranks(table);
  const Shape s = shape_of(table);
  const double se = std::sqrt(s.k * (s.k + 1.0) / (6.0 * s.n)), tolerance = tolerance_of(table);
  std::vector<MethodPair> result;
  std::vector<double> of_ranks, of_wilcoxon;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    for (std::size_t j = i + 1; j < ranks.size(); ++j) {
      std::vector<double> differences;
      for (const auto& row : table.rows) differences.push_back(row[i] - row[j]);
      const double z = (ranks[i] - ranks[j]) / se;
      result.push_back({.first = i,
                        .second = j,
                        .z = z,
                        .p_ranks = 2.0 * normal_cdf(-std::fabs(z)),
                        .p_wilcoxon = wilcoxon(differences, tolerance).test.p_two});
      of_ranks.push_back(result.back().p_ranks);
      of_wilcoxon.push_back(result.back().p_wilcoxon);
    }
  of_ranks = adjusted(of_ranks, how);
  of_wilcoxon = adjusted(of_wilcoxon, how);
  for (std::size_t p = 0; p < result.size(); ++p) {
    result[p].p_ranks_adjusted = of_ranks[p];
    result[p].p_wilcoxon_adjusted = of_wilcoxon[p];
  }
  return result;
}

}  // namespace retrial::variance::inline many
