// Group L of the specification of automated search: mining and similar tables.
#include "tests/catch.hpp"
#include "workloads/automl/searchers/proposals/known.hpp"

namespace retrial::automl_known_tests {

using namespace retrial::automl;

const Regrets regrets{
    {"a", "b", "c", "d"},
    {{0, .30, .20, .40}, {.10, .05, .30, .10}, {.25, 0, 0, .35}, {.40, .20, .10, 0}, {.05, .10, .25, .20}}};

TEST_CASE("a portfolio is mined greedily and stops where it does not get better") {
  const Mined mined = mine_portfolio(regrets, 5, "e");
  CHECK(mined.configurations == std::vector<std::size_t>{1, 2, 0, 3});
  const std::vector<double> expected{.1375, .05, .025, 0};
  REQUIRE(mined.mean_regret.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK_THAT(mined.mean_regret[i], WithinAbs(expected[i], 1e-12));
  CHECK(mine_portfolio(regrets, 2, "e").configurations == std::vector<std::size_t>{1, 2});
}

TEST_CASE("results on the set under test may not choose its portfolio") {
  CHECK_THROWS_WITH(mine_portfolio(regrets, 5, "c"), has_text("may not be mined from results on c"));
}

TEST_CASE("the most similar table") {
  const auto shape = scaled_shape({1000, 20, 2, .35});
  CHECK_THAT(shape[0], WithinAbs(-.403570411, 1e-9));
  CHECK_THAT(shape[1], WithinAbs(-.061538462, 1e-9));
  CHECK(shape[2] == 0);
  CHECK_THAT(shape[3], WithinAbs(-.712784588, 1e-9));
  const std::vector<ScaledShape> known{{1, 0, 0, 0}, {-.4, 0, 0, -.7}, {-.4, 0, 0, -.7}};
  CHECK(nearest_shape(shape, known) == 1);
}

}  // namespace retrial::automl_known_tests
