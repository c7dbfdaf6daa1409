// The order of runs: reference values of the specification of the gate, "Schedule", computed there by two programs.
#include "harness/plan/variant_order.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <numeric>

namespace retrial::tests::variant_order_tests {

using namespace retrial::harness;

namespace {

std::string text(const std::vector<int>& bits) {
  std::string out;
  for (const int bit : bits) out += bit != 0 ? '1' : '0';
  return out;
}

}  // namespace

TEST_CASE("which variant of a pair runs first follows the published schedules") {
  CHECK(text(candidate_first(42, "gemm", 10)) == "0100101110");
  CHECK(text(candidate_first(42, "sort", 10)) == "1111001000");
  CHECK(text(candidate_first(42, "stream", 10)) == "0011101100");
  CHECK(text(candidate_first(0, "gemm", 5)) == "11000");
  CHECK(text(candidate_first(0xffffffffffffffff, "a", 7)) == "0110001");
  CHECK(text(candidate_first(0xffffffffffffffff, "b", 7)) == "1100010");
}

TEST_CASE("the order of workloads in each round follows the published schedules") {
  // gemm sort stream, root 42: gemm stream sort | stream gemm sort | stream sort gemm | ...
  const std::vector<std::vector<std::uint32_t>> expected{{0, 2, 1}, {2, 0, 1}, {2, 1, 0}, {1, 2, 0}, {0, 1, 2},
                                                         {1, 0, 2}, {1, 2, 0}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
  for (std::uint64_t round = 0; round < expected.size(); ++round) CHECK(round_order(42, 3, round) == expected[round]);
}

TEST_CASE("the candidate runs first in exactly half of the pairs, rounded down") {
  for (std::uint32_t pairs = 0; pairs < 60; ++pairs) {
    const auto first = candidate_first(pairs * 977u, "w", pairs);
    CHECK(std::accumulate(first.begin(), first.end(), 0) == static_cast<int>(pairs / 2));
  }
}

TEST_CASE("more than two variants run in a permutation of their own in every pair") {
  std::vector<std::uint32_t> seen;
  for (std::uint64_t pair = 0; pair < 40; ++pair) {
    auto order = variant_order(7, "null", 4, pair);
    seen.push_back(order.front());
    std::sort(order.begin(), order.end());
    CHECK(order == std::vector<std::uint32_t>{0, 1, 2, 3});
  }
  std::sort(seen.begin(), seen.end());
  CHECK(std::unique(seen.begin(), seen.end()) - seen.begin() == 4);
}

}  // namespace retrial::tests::variant_order_tests
