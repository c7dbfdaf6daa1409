// Group C of the specification of automated search: cost.
#include "tests/catch.hpp"
#include "workloads/automl/core/cost.hpp"

namespace retrial::automl_cost_tests {

using namespace retrial::automl;

TEST_CASE("logarithms of integers") {
  const std::vector<std::pair<std::uint64_t, std::int64_t>> known{
      {1, 0},     {2, 1024},   {3, 1623},     {4, 2048},      {5, 2377},     {63, 6120},
      {64, 6144}, {255, 8186}, {1000, 10204}, {32767, 15359}, {32768, 15360}};
  for (const auto& [x, value] : known) CHECK(ilog2_q10(x) == value);
}

TEST_CASE("costs of trees, up to the largest that a space allows") {
  const auto cost = [](std::uint64_t trees, std::uint64_t outputs, std::uint64_t rows, std::uint64_t share,
                       std::uint64_t columns, std::uint64_t columns_share, std::uint64_t leaves) {
    return tree_cost({trees, outputs, rows, share, columns, columns_share, leaves});
  };
  CHECK(cost(4, 1, 4864, 1000, 5, 1000, 4) == 390);
  CHECK(cost(500, 3, 2079, 700, 18, 640, 31) == 178657);
  CHECK(cost(37, 7, 5787, 853, 54, 415, 200) == 267860);
  CHECK(cost(4, 1, 100, 100, 4, 10, 4) == 1);
  CHECK(cost(32768, 10, 1000000, 1000, 1000, 1000, 32768) == 4939776000000);
}

}  // namespace retrial::automl_cost_tests
