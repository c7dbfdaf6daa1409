// Reference values: exact enumeration of all labelings, by another program.
#include <limits>
#include <vector>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/ranks/strata.hpp"

namespace retrial::tests::strata_tests {

using namespace retrial::variance;
using Strata = std::vector<RankStratum>;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();

void check_shift(const Strata& strata, double alpha, double point, double low, double high) {
  const auto found = shift_stratified(strata, alpha);
  CHECK_THAT(found.point, WithinAbs(point, 1e-9));
  CHECK_THAT(found.low.value(), WithinAbs(low, 1e-9));
  if (high == inf)
    CHECK(found.high.value() == inf);
  else
    CHECK_THAT(found.high.value(), WithinAbs(high, 1e-9));
}
}  // namespace

TEST_CASE("the rank test over two hosts is the convolution of their exact laws") {
  const Strata hosts{{{11.5, 12.5, 13}, {10, 11, 12}}, {{20.5, 22.5, 23}, {20, 21, 22}}};
  const auto test = rank_test_stratified(hosts);
  CHECK(test.u == 15.0);
  CHECK_THAT(test.p_greater, WithinRel(9.0 / 200, 1e-9));
  CHECK_THAT(test.p_less, WithinRel(49.0 / 50, 1e-9));
  check_shift(hosts, 0.05, 1.25, -0.5, 2.5);
  check_shift(hosts, 0.1, 1.25, 0.5, 2.5);
}

TEST_CASE("runs that never reached a value are tied, and beyond every value") {
  const Strata some{{{11, 12, 13, 14, 16, 20, inf, inf}, {9, 10, 10, 11, 12, 12, 13, 15}}};
  const auto test = rank_test_stratified(some);
  CHECK(test.u == 54.0);
  CHECK_THAT(test.p_greater, WithinRel(4.0 / 429, 1e-9));
  check_shift(some, 0.05, 4, 1, inf);
  const Strata many{{{5, 6, 7, 7, 9, 11, inf, inf, inf, inf}, {4, 5, 5, 6, 6, 7, 8, 9, 10, 12}}};
  const auto coarse = rank_test_stratified(many);
  CHECK(coarse.u == 73.5);
  CHECK_THAT(coarse.p_greater, WithinRel(90.0 / 2431, 1e-9));
  CHECK_THAT(coarse.mid_greater, WithinRel(0.035923055272900475, 1e-9));
  check_shift(many, 0.05, 3, 0, inf);
}

TEST_CASE("infinity changes no tie of small values") {
  const Strata small{{{2e-9, inf}, {1e-9, 3e-9}}};
  CHECK(rank_test_stratified(small).u == 3.0);
}

TEST_CASE("one stratum is the plain test, with ties") {
  const Strata epochs{{{14, 15, 15, 16, 16, 17, 17, 18, 18, 30}, {12, 13, 13, 14, 14, 14, 15, 15, 16, 17}}};
  const auto test = rank_test_stratified(epochs);
  CHECK(test.u == 84.5);
  CHECK_THAT(test.p_greater, WithinRel(701.0 / 184756, 1e-9));
  CHECK_THAT(test.mid_greater, WithinRel(0.0030797375998614387, 1e-9));
  check_shift(epochs, 0.05, 2, 1, 4);
  CHECK_THAT(test.p_greater, WithinRel(mann_whitney(epochs[0].candidate, epochs[0].baseline).test.p_greater, 1e-12));
}

TEST_CASE("too few runs have no bound, and a level that a law just reaches has one") {
  const Strata tiny{{{3, 5, 6}, {1, 2, 4}}};
  CHECK_FALSE(shift_stratified(tiny, 0.05).low.has_value());
  check_shift(tiny, 0.1, 2, -1, 5);  // 1/20 is just within .05
  CHECK_THROWS_AS(rank_test_stratified(Strata{{{1.0}, {}}}), InvalidInput);
}

}  // namespace retrial::tests::strata_tests
