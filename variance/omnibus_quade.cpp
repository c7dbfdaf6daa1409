#include <algorithm>
#include <limits>

#include "variance/method_table_parts.hpp"
#include "variance/midranks.hpp"

namespace retrial::variance {

using namespace method_tables;

TestResult quade(const MethodTable& table) {
  require_table(table);
  const Shape s = shape_of(table);
  std::vector<double> ranges;
  for (const auto& row : table.rows) {
    const auto [low, high] = std::ranges::minmax(row);
    ranges.push_back(high - low);
  }
  const auto weights = doubled_midranks(ranges, tolerance_of(table));
  const auto ranks = doubled_ranks(table);
  std::vector<double> columns(table.methods.size());
  double all = 0.0, between = 0.0;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double score =
          static_cast<double>(weights[i]) / 2.0 * (static_cast<double>(ranks[i][j]) / 2.0 - (s.k + 1.0) / 2.0);
      columns[j] += score;
      all += score * score;
    }
  for (const double sum : columns) between += sum * sum / s.n;
  if (all == 0.0) return {.method = "Quade", .note = "all methods are tied on every data set"};
  const double rest = all - between;
  const double f = rest <= 1e-12 * all ? std::numeric_limits<double>::infinity() : (s.n - 1.0) * between / rest;
  return f_result(f, s, "Quade");
}

}  // namespace retrial::variance
