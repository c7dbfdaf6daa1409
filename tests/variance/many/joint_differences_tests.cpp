#include "variance/many/joint_differences.hpp"

#include <vector>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::tests::joint_differences_tests {

using namespace retrial::variance;
using Rows = std::vector<std::vector<double>>;

// Expected values: Student's t with 2 degrees of freedom in closed form, F(t) = 1/2 + t / (2 sqrt(2 + t^2)), quantile
// (2 p - 1) / sqrt(2 p (1 - p)) at p = 1 - .05 / 2 / 3, computed by a script beside this program; Holm by hand.

TEST_CASE("three differences have joint intervals and p values adjusted for all three") {
  const auto joint = joint_differences(Rows{{1, 2, 3}, {.5, -.25, .5}, {4, 4.5, 4.25}}, .05);
  REQUIRE(joint.size() == 3);
  CHECK_THAT(joint[0]->mean.point, WithinAbs(2, 1e-12));
  CHECK_THAT(*joint[0]->mean.low, WithinAbs(-2.41603901253, 1e-9));
  CHECK_THAT(*joint[0]->mean.high, WithinAbs(6.41603901253, 1e-9));
  CHECK_THAT(joint[0]->p, WithinAbs(.0741799002274, 1e-11));
  CHECK_THAT(joint[0]->p_holm, WithinAbs(2 * .0741799002274, 1e-11));
  CHECK_THAT(joint[1]->p_holm,
             WithinRel(.5, 1e-12));  // sizes repeat: two of the eight signs reach the sum, in either direction
  CHECK_THAT(*joint[2]->mean.low, WithinAbs(3.14599024687, 1e-9));
  CHECK_THAT(joint[2]->p_holm, WithinAbs(3 * .00115141085967, 1e-11));
}

TEST_CASE("a claim that cannot be tested counts in the family, and is none itself") {
  const Rows two{{1, 2, 3}, {4, 4.5, 4.25}}, with_none{{1, 2, 3}, {4, 4.5, 4.25}, {}, {5}};
  const auto alone = joint_differences(two, .05), beside = joint_differences(with_none, .05);
  CHECK_FALSE(beside[2]);
  CHECK_FALSE(beside[3]);
  CHECK_THAT(beside[1]->p_holm, WithinAbs(4 * .00115141085967, 1e-11));
  CHECK_THAT(alone[1]->p_holm, WithinAbs(2 * .00115141085967, 1e-11));
  CHECK(*beside[0]->mean.high > *alone[0]->mean.high);
}

TEST_CASE("differences without spread have the p of their signs, as those that rounding alone tells apart") {
  const double jitter = 1e-15;
  const auto joint = joint_differences(Rows{{1, 1, 1}, {1, 1 + jitter, 1 - jitter}, {0, 0, 0}}, .05);
  CHECK_THAT(joint[0]->p, WithinAbs(2.0 / 8, 1e-12));  // all three of one sign, in either direction
  CHECK_THAT(joint[1]->p, WithinAbs(2.0 / 8, 1e-12));
  CHECK(joint[2]->p == 1);
  const std::vector<double> equal(8, .5), nearly{.5, .5 + jitter, .5, .5, .5 - jitter, .5, .5, .5};
  const auto settled = joint_differences(Rows{equal, nearly}, .05);
  CHECK_THAT(settled[0]->p_holm, WithinAbs(4.0 / 256, 1e-12));
  CHECK_THAT(settled[1]->p_holm, WithinAbs(4.0 / 256, 1e-12));
  CHECK_THROWS_AS(joint_differences(Rows{{1, 2}}, 1.5), InvalidInput);
}

}  // namespace retrial::tests::joint_differences_tests
