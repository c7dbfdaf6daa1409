#include <utility>

#include "variance/means/classical.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::variance::inline tables {
namespace {

void require_items(const MethodTable& table) {
  require_table(table);
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    for (std::size_t j = 0; j < table.methods.size(); ++j)
      if (const double x = table.rows[i][j]; x != 0.0 && x != 1.0)
        throw InvalidInput("rows[" + std::to_string(i) + "][" + std::to_string(j) + "]", shortest(x),
                           "1 for an item that the method has right, 0 for one that it has wrong");
}

PairOfMethods compared(const MethodTable& table, std::size_t first, std::size_t second) {
  std::int64_t wins = 0, losses = 0;
  for (const auto& row : table.rows) {
    wins += row[first] > row[second] ? 1 : 0;
    losses += row[first] < row[second] ? 1 : 0;
  }
  return {.first = first,
          .second = second,
          .rows = std::ssize(table.rows),
          .first_ahead = wins > losses,
          .p = mcnemar(wins, losses).p_exact};
}

}  // namespace

TestResult cochran_q(const MethodTable& table) {
  require_items(table);
  const double k = static_cast<double>(table.methods.size());
  std::vector<double> of_methods(table.methods.size());
  double all = 0.0, squares_of_items = 0.0, squares_of_methods = 0.0;  // whole numbers: exact below 2^53
  for (const auto& row : table.rows) {
    double right = 0.0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      right += row[j];
      of_methods[j] += row[j];
    }
    all += right;
    squares_of_items += right * right;
  }
  for (const double right : of_methods) squares_of_methods += right * right;
  const double below = k * all - squares_of_items;
  if (below == 0.0) return {.method = "Cochran's Q", .note = "every item is right for all methods or for none"};
  const double q = (k - 1.0) * (k * squares_of_methods - all * all) / below;
  return {.statistic = q, .df = k - 1.0, .p_two = chi_squared_above(q, k - 1.0), .method = "Cochran's Q"};
}

std::vector<PairOfMethods> item_pairs(const MethodTable& table, Adjustment how) {
  require_items(table);
  std::vector<PairOfMethods> pairs;
  std::vector<double> p;
  for (std::size_t i = 0; i < table.methods.size(); ++i)
    for (std::size_t j = i + 1; j < table.methods.size(); ++j) {
      pairs.push_back(compared(table, i, j));
      p.push_back(pairs.back().p);
    }
  p = adjusted(p, how);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].p_adjusted = p[i];
  return pairs;
}

}  // namespace retrial::variance::inline tables
