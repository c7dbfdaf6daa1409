// Tables of the exact laws without ties, by another program.
#include <map>

#include "tests/catch.hpp"
#include "variance/ranks/ranks.hpp"

namespace retrial::tests::rank_tables_tests {

using namespace retrial::variance;

namespace {

/// Smallest U of n against n runs with P(U >= u) <= alpha; -1: none.
int smallest_u(int n, double alpha) {
  const auto at_most = rank_sum_at_most(n, n);
  for (int u = 0; u <= n * n; ++u)
    if (at_most[static_cast<std::size_t>(n * n - u)] <= alpha) return u;
  return -1;
}

/// Largest c with P(T <= c) <= q; -1: none.
int largest_index(std::span<const double> at_most, double q) {
  int out = -1;
  while (out + 1 < std::ssize(at_most) && at_most[static_cast<std::size_t>(out + 1)] <= q) ++out;
  return out;
}

}  // namespace

TEST_CASE("the smallest significant U, by size and level", "[ranks]") {
  const std::vector levels{.05, .025, .01, .005, .0025, .001};
  const std::map<int, std::vector<int>> table{{4, {15, 16, -1, -1, -1, -1}},       {5, {21, 23, 24, 25, -1, -1}},
                                              {6, {29, 31, 33, 34, 35, -1}},       {8, {49, 51, 55, 57, 58, 60}},
                                              {9, {60, 64, 67, 70, 72, 74}},       {10, {73, 77, 81, 84, 87, 90}},
                                              {20, {262, 273, 286, 295, 303, 312}}};
  for (const auto& [n, row] : table)
    for (std::size_t i = 0; i < levels.size(); ++i) {
      INFO("n " << n << ", level " << levels[i]);
      CHECK(smallest_u(n, levels[i]) == row[i]);
    }
}

TEST_CASE("the differences that an interval of a shift leaves out, by size and level", "[ranks]") {
  const std::vector levels{.05, .025, .005};
  const std::map<int, std::vector<int>> table{{3, {0, -1, -1}},   {4, {1, 0, -1}},    {5, {4, 2, 0}},    {6, {7, 5, 2}},
                                              {10, {27, 23, 16}}, {12, {42, 37, 27}}, {15, {72, 64, 51}}};
  for (const auto& [n, row] : table)
    for (std::size_t i = 0; i < levels.size(); ++i) {
      INFO("n " << n << ", level " << levels[i]);
      CHECK(largest_index(rank_sum_at_most(n, n), levels[i]) == row[i]);
    }
}

TEST_CASE("the Walsh averages that an interval leaves out, by size and level", "[ranks]") {
  const std::map<std::size_t, std::pair<int, int>> table{{5, {-1, 0}}, {6, {0, 2}},   {7, {2, 3}},   {8, {3, 5}},
                                                         {9, {5, 8}},  {10, {8, 10}}, {20, {52, 60}}};
  for (const auto& [n, row] : table) {
    INFO("n " << n);
    CHECK(largest_index(signed_rank_at_most(n), .025) == row.first);
    CHECK(largest_index(signed_rank_at_most(n), .05) == row.second);
  }
}

}  // namespace retrial::tests::rank_tables_tests
