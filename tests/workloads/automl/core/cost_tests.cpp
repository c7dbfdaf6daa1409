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

TEST_CASE("a scale multiplies before it is rounded up") {
  const TreeWork work{4, 1, 4864, 1000, 5, 1000, 4};  // 389.12 units: 4 * 4864 * 10,000 * 2048 / 1,024,000,000
  CHECK(tree_cost(work, {3, 2}) == 584);              // 583.68
  CHECK(tree_cost(work, {1, 1000}) == 1);
  CHECK(tree_cost({32768, 10, 1000000, 1000, 1000, 1000, 32768}, {1000000, 1}) == 4939776000000000000);
  CHECK(logistic_cost(10, 100, 4, 1) == 5);
  CHECK(logistic_cost(10, 100, 4, 1, {5, 2}) == 13);  // 12.5
  CHECK(cost_scale_from("3/2") == CostScale{3, 2});
  CHECK(cost_scale_from("4") == CostScale{4, 1});
  CHECK(CostScale{3, 2}.text() == "3/2");
  for (const char* wrong : {"", "0", "1/0", "-1", "1.5", "1/2/3", "1000001", "a"}) CHECK_FALSE(cost_scale_from(wrong));
  CHECK(cost_scales_from("xgboost=3/2, rf=1")->at("xgboost") == CostScale{3, 2});
  CHECK(cost_scales_from("")->empty());
  for (const char* wrong : {"rf", "rf=1,rf=2", "=1", "rf=1,", "rf=x"}) CHECK_FALSE(cost_scales_from(wrong));
}

}  // namespace retrial::automl_cost_tests
