#include "variance/method_table_parts.hpp"
#include "variance/midranks.hpp"
#include "variance/summary.hpp"

namespace retrial::variance {

using namespace method_tables;

TestResult aligned_ranks(const MethodTable& table) {
  require_table(table);
  const Shape s = shape_of(table);
  std::vector<double> aligned;
  for (const auto& row : table.rows)
    for (const double x : row) aligned.push_back(*mean(row) - x);
  const auto ranks = doubled_midranks(aligned, tolerance_of(table));
  const std::size_t k = table.methods.size();
  std::vector<double> columns(k), rows(table.rows.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    columns[i % k] += static_cast<double>(ranks[i]) / 2.0;
    rows[i / k] += static_cast<double>(ranks[i]) / 2.0;
  }
  double of_columns = 0.0, of_rows = 0.0;
  for (const double sum : columns) of_columns += sum * sum;
  for (const double sum : rows) of_rows += sum * sum;
  const double kn = s.k * s.n, above = of_columns - s.k * s.n * s.n / 4.0 * (kn + 1.0) * (kn + 1.0);
  const double below = kn * (kn + 1.0) * (2.0 * kn + 1.0) / 6.0 - of_rows / s.k;
  return chi_squared_result((s.k - 1.0) * above / below, s.k - 1.0, "Friedman's aligned ranks");
}

}  // namespace retrial::variance
