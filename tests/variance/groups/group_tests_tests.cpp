#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/groups/groups.hpp"

namespace retrial::tests::group_tests_tests {

using namespace retrial::variance;
using Groups = std::vector<std::vector<double>>;

namespace {

/// Dunnett's data of the tests of SciPy and R; the control comes second.
const Groups groups{{3.8, 2.7, 4.0, 2.4}, {2.9, 3.0, 2.5, 2.6, 3.2}, {2.8, 3.4, 3.7, 2.2, 2.0}};

}  // namespace

TEST_CASE("Dunnett's simultaneous intervals") {
  // An own program: the law of the largest |T| by 400 x 400 Gauss-Legendre nodes in NumPy 2, its .95
  // quantile 2.53676488 by Brent's method. SciPy 1.17.1, dunnett(...).confidence_interval(): -.690 to 1.460 and -1.034
  // to .994, from draws.
  const std::vector<double> lambda{std::sqrt(4.0 / 9), std::sqrt(.5)};
  CHECK_THAT(dunnett_quantile(.95, lambda, 11, true), WithinAbs(2.5367648782217866, 1e-8));
  const auto result = compare_groups("dunnett", groups, {.control = 1});
  CHECK_FALSE(result.omnibus);
  REQUIRE(result.pairs.size() == 2);
  CHECK(result.pairs[0].first == 0);
  CHECK(result.pairs[1].first == 2);
  CHECK(result.pairs[0].second == 1);
  CHECK_THAT(result.pairs[0].difference.point, WithinAbs(.385, 1e-12));
  CHECK_THAT(*result.pairs[0].difference.low, WithinAbs(-.6897283254404802, 1e-8));
  CHECK_THAT(*result.pairs[0].difference.high, WithinAbs(1.4597283254404807, 1e-8));
  CHECK_THAT(*result.pairs[1].difference.low, WithinAbs(-1.0332635824696357, 1e-8));
  CHECK_THAT(*result.pairs[1].difference.high, WithinAbs(.9932635824696348, 1e-8));
  CHECK_THAT(result.pairs[0].p_adjusted, WithinAbs(.5831724333, 1e-9));
}

TEST_CASE("every test of groups answers for every pair, whatever the order of the scores, their zero and their unit") {
  Groups other = groups;
  for (auto& group : other) {
    std::ranges::reverse(group);
    for (double& x : group) x = 100.0 + 8.0 * x;
  }
  for (const GroupTest& test : all_group_tests()) {
    CAPTURE(test.name);
    const auto result = compare_groups(test.name, groups), again = compare_groups(test.name, other);
    CHECK(result.pairs.size() == (test.against_control ? 2 : 3));
    CHECK_FALSE(result.pairs_method.empty());
    for (std::size_t i = 0; i < result.pairs.size(); ++i) {
      CHECK_THAT(again.pairs[i].p_adjusted, WithinAbs(result.pairs[i].p_adjusted, 1e-9));
      CHECK(result.pairs[i].p_adjusted > 0.0);
      CHECK(result.pairs[i].p_adjusted <= 1.0);
      CHECK(result.pairs[i].difference.low.has_value() == !test.ordinal);
    }
    if (result.omnibus) CHECK_THAT(again.omnibus->p_two, WithinAbs(result.omnibus->p_two, 1e-11));
  }
}

TEST_CASE("the order of the scores changes no bit of a test of groups") {
  Groups shuffled = groups;
  for (auto& group : shuffled) std::ranges::reverse(group);
  for (const char* test : {"kruskal_wallis", "tukey"}) {
    const auto result = compare_groups(test, groups), again = compare_groups(test, shuffled);
    for (std::size_t i = 0; i < result.pairs.size(); ++i) {
      CHECK(result.pairs[i].p_adjusted == again.pairs[i].p_adjusted);
      CHECK(result.pairs[i].difference.low == again.pairs[i].difference.low);
    }
  }
}

TEST_CASE("the studentized range of few and of many groups") {
  // SciPy 1.17.1, scipy.stats.studentized_range.cdf
  CHECK_THAT(studentised_range_cdf(3.5, 3, 11), WithinAbs(.9267755869333829, 1e-9));
  CHECK_THAT(studentised_range_cdf(.7, 5, 4), WithinAbs(.01640723920301895, 1e-9));
  CHECK_THAT(studentised_range_cdf(6, 20, 8), WithinAbs(.900268132092779, 1e-9));
  CHECK_THAT(studentised_range_cdf(12, 100, 30), WithinAbs(.9999942843999609, 1e-9));
  CHECK_THAT(studentised_range_cdf(4.2, 100, 1000), WithinAbs(.07718391350585772, 1e-9));
}

TEST_CASE("an unknown test of groups and an unknown control are refused") {
  CHECK(find_group_test("kruskal") == nullptr);
  CHECK(refused_field([] { (void)compare_groups("kruskal", groups); }) == "test");
  CHECK(refused_field([] { (void)compare_groups("dunnett", groups, {.control = 3}); }) == "control");
  CHECK(refused_field([] { (void)compare_groups("tukey", groups, {.alpha = .5}); }) == "alpha");
}

}  // namespace retrial::tests::group_tests_tests
