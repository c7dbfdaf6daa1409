// Smallest attainable p: one arrangement of ranks in C(2k, k), of signs in 2^k.
#include "harness/gate/measured/suite_design.hpp"

#include <tuple>
#include <vector>

#include "tests/catch.hpp"

namespace retrial::tests::suite_design_tests {

using namespace retrial::harness;

TEST_CASE("launches share the pairs, and each of them costs power to reject", "[gate]") {
  CHECK(launch_ends(10, 3) == std::vector<std::int64_t>{3, 6, 10});
  CHECK(launch_ends(4, 4) == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(least_pairs(false, 0.01) == 5);     // 1 / (10 over 5) = .004, 1 / (8 over 4) = .014
  CHECK(least_pairs(false, 0.01, 2) == 5);  // 1 / (4 over 2) / (6 over 3) = .0083
  CHECK(least_pairs(false, 0.01, 5) == 7);  // 2^-3 / 6^2 = .0035; of 6 pairs 2^-4 / 6 = .0104
  CHECK(least_pairs(true, 0.01, 5) == 7);   // 2^-7
}

TEST_CASE("the fewest pairs that can reach a level", "[gate]") {
  // level, claims, of the rank test, of pairs
  const std::vector<std::tuple<double, double, int, int>> table{{.05, 1, 3, 5},    {.05, 20, 6, 9}, {.05, 50, 7, 10},
                                                                {.05, 100, 7, 11}, {.01, 6, 6, 10}, {.01, 20, 7, 11},
                                                                {.01, 50, 8, 13}};
  for (const auto& [alpha, claims, rank, paired] : table) {
    CHECK(least_pairs(false, alpha / claims) == rank);
    CHECK(least_pairs(true, alpha / claims) == paired);
  }
}

}  // namespace retrial::tests::suite_design_tests
