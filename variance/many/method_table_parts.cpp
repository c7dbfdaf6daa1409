#include "variance/many/method_table_parts.hpp"

#include <algorithm>

#include "variance/numbers/distributions.hpp"
#include "variance/numbers/midranks.hpp"
#include "variance/numbers/ties.hpp"

namespace retrial::variance::inline many::method_tables {

Shape shape_of(const MethodTable& table) {
  return {static_cast<double>(table.methods.size()), static_cast<double>(table.rows.size())};
}

double tolerance_of(const MethodTable& table) {
  double largest = 0.0;
  for (const auto& row : table.rows) largest = std::max(largest, tie_tolerance({}, row));
  return largest;
}

std::vector<std::vector<std::int64_t>> doubled_ranks(const MethodTable& table) {
  const double tolerance = tolerance_of(table);
  std::vector<std::vector<std::int64_t>> result;
  for (const auto& row : table.rows) {
    std::vector<double> worst_first(row);
    for (double& x : worst_first) x = -x;
    result.push_back(doubled_midranks(worst_first, tolerance));
  }
  return result;
}

std::vector<std::int64_t> column_sums(const std::vector<std::vector<std::int64_t>>& ranks) {
  std::vector<std::int64_t> sums(ranks.front().size());
  for (const auto& row : ranks)
    for (std::size_t j = 0; j < row.size(); ++j) sums[j] += row[j];
  return sums;
}

TestResult chi_squared_result(double statistic, double df, const char* method) {
  const double p = chi_squared_above(statistic, df);
  return {.statistic = statistic, .df = df, .p_two = p, .method = method};
}

TestResult f_result(double f, const Shape& s, const char* method) {
  const double between = s.k - 1.0, within = (s.k - 1.0) * (s.n - 1.0);
  return {.statistic = f, .df = between, .df_within = within, .p_two = f_above(f, between, within), .method = method};
}

}  // namespace retrial::variance::inline many::method_tables
