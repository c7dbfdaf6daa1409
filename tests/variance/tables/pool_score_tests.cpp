#include "variance/tables/pool_score.hpp"

#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"

namespace retrial::tests::pool_score_tests {

using namespace retrial::variance;

// Expected values: exact integrals of the step profiles, in another program; the public code takes a trapezoid of 100
// points (0.9911616, 0.7196970, 0.6123737 for the first pool).

TEST_CASE("the area under the profile of a pool", "[tables]") {
  const std::vector<PoolTimes> first{{100, 200, 300, 400}, {110, 180, {}, 500}, {250, 900, 330, 420}};
  const auto a = pool_score(first);
  CHECK_THAT(a.scores[0], WithinAbs(0.9907407407, 5e-11));
  CHECK_THAT(a.scores[1], WithinAbs(0.7208333333, 5e-11));
  CHECK_THAT(a.scores[2], WithinAbs(0.6125, 5e-11));
  const auto b = pool_score(std::vector<PoolTimes>{{50, 80, 20}, {60, 70, 25}, {45, 95, {}}});
  CHECK_THAT(b.scores[0], WithinAbs(0.9717813051, 5e-11));
  CHECK_THAT(b.scores[1], WithinAbs(0.9351851852, 5e-11));
  CHECK_THAT(b.scores[2], WithinAbs(0.6269841270, 5e-11));
  CHECK(pool_score(std::vector<PoolTimes>{{3, 4}, {3, 4}}).scores == std::vector{1.0, 1.0});
}

TEST_CASE("a task that nobody solved counts zero for all and is named", "[tables]") {
  const auto score = pool_score(std::vector<PoolTimes>{{1, {}}, {2, {}}});
  CHECK(score.nobody == std::vector<std::size_t>{1});
  CHECK(score.scores[0] == 0.5);
  CHECK(refused_field([] { (void)pool_score({}); }) == "times");
  CHECK(refused_field([] { (void)pool_score(std::vector<PoolTimes>{{1.0}, {1.0, 2.0}}); }) == "times[1]");
  CHECK(refused_field([] { (void)pool_score(std::vector<PoolTimes>{{0.0}}); }) == "times");
}

}  // namespace retrial::tests::pool_score_tests
