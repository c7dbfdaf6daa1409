#include "variance/many/multiplicity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::multiplicity_tests {

// Adjusted values as R's p.adjust and scmamp's tests print them, re-derived by hand where a line says so.

using namespace retrial::variance;
using Values = std::vector<double>;

namespace {
const Values p{.0011, .0123, .0141, .0300, .0420, .2100};

void check(Adjustment how, const Values& expected, double tolerance = 5e-11) {
  const auto got = adjusted(p, how);
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < p.size(); ++i) CHECK_THAT(got[i], WithinAbs(expected[i], tolerance));
}
}  // namespace

TEST_CASE("adjusted p values of six claims") {
  check(Adjustment::bonferroni, {.0066, .0738, .0846, .18, .252, 1});  // six times each
  check(Adjustment::holm, {.0066, .0615, .0615, .0900, .0900, .2100});
  check(Adjustment::hochberg, {.0066, .0564, .0564, .0840, .0840, .2100});
  check(Adjustment::by, {.01617, .06909, .06909, .11025, .12348, .51450});
  check(Adjustment::sidak, {.0065818766, .0715675257, .0816733249, .1670279951, .2269758632, .7569125445});
  check(Adjustment::finner, {.0065818766, .0364479909, .0364479909, .0446607932, .0501859033, .2100000000});
  check(Adjustment::bh, {.0066, .0282, .0282, .045, .0504, .21});  // 6/i p, running minimum from the largest
}

TEST_CASE("Hommel is never weaker than Hochberg nor stronger than the p value itself") {
  const auto hommel = adjusted(p, Adjustment::hommel), hochberg = adjusted(p, Adjustment::hochberg);
  for (std::size_t i = 0; i < p.size(); ++i) {
    CHECK(hommel[i] <= hochberg[i] + 1e-15);
    CHECK(hommel[i] >= p[i]);
  }
  // Two claims by hand: {p1, p2} has Simes p min(2 p1, p2), so the smaller gets min(2 * .02, .03) = .03.
  CHECK_THAT(adjusted(Values{.02, .03}, Adjustment::hommel)[0], WithinAbs(.03, 1e-15));
}

TEST_CASE("Shaffer's multipliers count how many pairwise hypotheses can be true together") {
  CHECK(shaffer_multipliers(3) == std::vector<std::int64_t>{3, 1, 1});
  CHECK(shaffer_multipliers(4) == std::vector<std::int64_t>{6, 3, 3, 3, 2, 1});
  CHECK_THAT(adjusted(p, Adjustment::shaffer)[1], WithinAbs(std::max(.0066, 3 * .0123), 1e-12));
  CHECK(refused_field([] { (void)adjusted(Values{.1, .2}, Adjustment::shaffer); }) == "p");
}

TEST_CASE("adjusted values are at most 1, never below their p, in the order of the p values") {
  for (const auto& row : all_adjustments())
    for (std::uint64_t s = 0; s < 50; ++s) {
      Values drawn;
      Stream stream(4, s);
      for (int i = 0; i < 10; ++i) drawn.push_back(std::pow(uniform(stream.next()), 3.0));
      const auto got = adjusted(drawn, row.adjustment);
      for (std::size_t i = 0; i < drawn.size(); ++i) {
        CAPTURE(row.name, s, i);
        CHECK(got[i] <= 1.0);
        CHECK(got[i] >= drawn[i] * (1 - 1e-15));
        for (std::size_t j = 0; j < drawn.size(); ++j)
          if (drawn[i] < drawn[j]) CHECK(got[i] <= got[j]);
      }
    }
}

TEST_CASE("a further comparison never makes the level less strict") {
  for (const auto& row : all_adjustments()) {
    if (row.adjustment == Adjustment::shaffer) continue;  // takes all pairs of k variants, not one more
    // Claims that add nothing: with p = 1 every correction that counts them grows stricter or stays.
    Values drawn{.001, .02, .04};
    double before = 0.0;
    for (int more = 0; more < 6; ++more) {
      CAPTURE(row.name, more);
      const double now = adjusted(drawn, row.adjustment)[0];
      CHECK(now >= before * (1 - 1e-12));
      before = now;
      drawn.push_back(1.0);
    }
  }
}

TEST_CASE("an effect on at least u data sets") {
  // (N - u + 1) p_(u): .003, .02 (2 * .01), .5; the running maximum, two of them below .05.
  const auto result = partial_conjunction(Values{.5, .001, .01});
  CHECK_THAT(result.p[0], WithinAbs(.003, 1e-15));
  CHECK_THAT(result.p[1], WithinAbs(.02, 1e-15));
  CHECK(result.count == 2);
}

TEST_CASE("what is not a probability is refused with its place") {
  CHECK(refused_field([] { (void)adjusted(Values{.1, 1.5}, Adjustment::holm); }) == "p[1]");
  CHECK(refused_field([] { (void)adjusted(Values{std::nan("")}, Adjustment::holm); }) == "p[0]");
  CHECK(adjusted({}, Adjustment::holm).empty());
}

}  // namespace retrial::tests::multiplicity_tests
