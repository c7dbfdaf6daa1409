#include "variance/looks/group_sequential.hpp"

#include <numeric>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"

namespace retrial::tests::group_sequential_tests {

using namespace retrial::variance;
using Values = std::vector<double>;

namespace {
double total(const Values& p) {
  return std::accumulate(p.begin(), p.end(), 0.0);
}

void check_near(const Values& values, const Values& expected, double tolerance) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) CHECK_THAT(values[i], WithinAbs(expected[i], tolerance));
}
const Values five{.2, .4, .6, .8, 1};
}  // namespace

TEST_CASE("looking five times at 1.96 is wrong fourteen times in a hundred") {
  // An independent Simpson recursion (the specification of the variance layer).
  CHECK_THAT(total(crossing_probabilities(five, Values(5, 1.959963984540054))), WithinAbs(.14169, 2e-5));
  CHECK_THAT(total(crossing_probabilities(Values{1}, Values{1.959963984540054})), WithinAbs(.05, 1e-9));
}

TEST_CASE("spending functions give the published boundaries") {
  // An independent recursion; the first row is also in Lan and DeMets 1983.
  check_near(spending_boundaries(Spending::obrien_fleming, five), {4.8769, 3.3570, 2.6803, 2.2898, 2.0310}, 5e-4);
  check_near(spending_boundaries(Spending::obrien_fleming, Values{1. / 3, 2. / 3, 1}), {3.7103, 2.5114, 1.9930}, 5e-4);
  check_near(spending_boundaries(Spending::obrien_fleming, Values{.5, 1}), {2.9626, 1.9686}, 5e-4);
  check_near(spending_boundaries(Spending::pocock, five), {2.4380, 2.4268, 2.4102, 2.3966, 2.3860}, 5e-4);
  // Without halving alpha for the two sides the first of five looks would be at 4.38.
  CHECK(spending_boundaries(Spending::obrien_fleming, five).front() > 4.8);
}

TEST_CASE("spending boundaries spend alpha, whenever one looks") {
  for (const auto spending : {Spending::obrien_fleming, Spending::pocock})
    for (const Values& shares : {Values{1}, Values{.1, .15, .9, 1}, Values{.5, .6, .7, .8, 1}}) {
      const auto boundaries = spending_boundaries(spending, shares, .05);
      const auto p = crossing_probabilities(shares, boundaries);
      CHECK_THAT(total(p), WithinAbs(.05, 2e-6));
      double sum = 0.0;
      for (std::size_t k = 0; k < shares.size(); ++k) {
        sum += p[k];
        CHECK_THAT(sum, WithinAbs(2 * spent(spending, shares[k], .025), 2e-6));
      }
    }
}

TEST_CASE("a look too early to spend anything has no boundary") {
  const auto boundaries = spending_boundaries(Spending::obrien_fleming, Values{.01, 1});
  CHECK(boundaries.front() > 1e300);
  CHECK_THAT(boundaries.back(), WithinAbs(1.95996, 1e-4));
}

TEST_CASE("looks out of order are refused by name") {
  CHECK(refused_field([] { (void)spending_boundaries(Spending::pocock, Values{.5, .5}); }) == "shares[1]");
  CHECK(refused_field([] { (void)spending_boundaries(Spending::pocock, Values{}); }) == "looks");
  CHECK(refused_field([] { (void)crossing_probabilities(Values{1}, Values{0}); }) == "boundaries[0]");
}

}  // namespace retrial::tests::group_sequential_tests
