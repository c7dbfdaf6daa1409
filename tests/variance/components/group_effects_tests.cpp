// What each group of runs is worth. Expected values are closed forms: with two groups' degrees of freedom the tail of F
// is (1 + 2 F / df)^(-df / 2); t quantiles of 6 and 1 degrees of freedom from tables (2.446911851144969, 12.706204736).
#include <cmath>

#include "tests/catch.hpp"
#include "variance/components/group_effects.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::tests::group_effects_tests {

using namespace retrial::variance;

TEST_CASE("groups that differ have effects around their mean, and one test of all groups") {
  const GroupEffects found = group_effects({{1, 2, 3}, {2, 3, 4}, {5, 6, 7}});
  REQUIRE(found.groups.size() == 3);
  CHECK(found.within == Approx(1));
  CHECK(found.df_between == 2);
  CHECK(found.df_within == 6);
  CHECK(*found.statistic == Approx(13));
  CHECK(*found.p == Approx(27.0 / 4096).epsilon(1e-12));
  const double t = 2.446911851144969;
  CHECK(found.groups[2].mean.point == Approx(6));
  CHECK(*found.groups[2].mean.low == Approx(6 - t * std::sqrt(1.0 / 3)));
  CHECK(found.groups[2].effect.point == Approx(7.0 / 3));
  CHECK(*found.groups[2].effect.high == Approx(7.0 / 3 + t * std::sqrt(2.0) / 3));
}

TEST_CASE("groups of other sizes weigh by their runs") {
  const GroupEffects found = group_effects({{0, 2}, {4}});
  CHECK(found.df_within == 1);
  CHECK(found.groups[0].effect.point == Approx(-1.5));
  // Variance within 2; of half the difference of both means 2 (1/4 / 2 + 1/4 / 1) = 3/4.
  CHECK(*found.groups[0].effect.high == Approx(-1.5 + 12.706204736174698 * std::sqrt(.75)));
  CHECK(*found.groups[1].effect.low == Approx(1.5 - 12.706204736174698 * std::sqrt(.75)));
}

TEST_CASE("one run a group leaves no interval, equal runs no test, and one group nothing to compare") {
  const GroupEffects single = group_effects({{1}, {2}, {4}});
  CHECK_FALSE(single.within);
  CHECK_FALSE(single.groups[0].mean.low);
  CHECK_FALSE(single.p);
  const GroupEffects equal = group_effects({{1, 1}, {3, 3}});
  CHECK(*equal.within == 0);
  CHECK(*equal.groups[0].effect.low == -1);
  CHECK_FALSE(equal.p);
  CHECK_THROWS_AS(group_effects({{1, 2}}), retrial::InvalidInput);
  CHECK_THROWS_AS(group_effects({{1, 2}, {}}), retrial::InvalidInput);
}

}  // namespace retrial::tests::group_effects_tests
