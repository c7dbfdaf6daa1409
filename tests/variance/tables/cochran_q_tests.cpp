#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::tests::cochran_q_tests {

using namespace retrial::variance;

namespace {

const MethodTable items{.methods = {"a", "b", "c"},
                        .rows = {{1, 1, 1},
                                 {1, 1, 0},
                                 {1, 0, 0},
                                 {0, 0, 0},
                                 {1, 1, 0},
                                 {1, 0, 1},
                                 {1, 1, 0},
                                 {0, 1, 0},
                                 {1, 0, 0},
                                 {1, 1, 0},
                                 {1, 1, 1},
                                 {1, 0, 0}}};

}  // namespace

TEST_CASE("Cochran's Q as statsmodels computes it") {
  // statsmodels 0.15.0, cochrans_q
  const TestResult test = cochran_q(items);
  CHECK_THAT(*test.statistic, WithinRel(74.0 / 9, 1e-14));
  CHECK(test.df == 2.0);
  CHECK_THAT(test.p_two, WithinRel(.016389553790213608, 1e-12));
}

TEST_CASE("Cochran's Q is Friedman's statistic of 0 and 1, corrected for ties") {
  CHECK_THAT(*friedman(items).corrected.statistic, WithinRel(*cochran_q(items).statistic, 1e-12));
}

TEST_CASE("pairs of models by the items that only one has right") {
  // SciPy 1.17.1, binomtest of (4, 1), (7, 0), (5, 1) discordant items; statsmodels 0.15.0, multipletests("holm")
  const auto pairs = item_pairs(items);
  REQUIRE(pairs.size() == 3);
  CHECK_THAT(pairs[0].p, WithinRel(.375, 1e-12));
  CHECK_THAT(pairs[1].p, WithinRel(.015625, 1e-12));
  CHECK_THAT(pairs[2].p, WithinRel(.21875, 1e-12));
  CHECK_THAT(pairs[0].p_adjusted, WithinRel(.4375, 1e-12));
  CHECK_THAT(pairs[1].p_adjusted, WithinRel(.046875, 1e-12));
  CHECK_THAT(pairs[2].p_adjusted, WithinRel(.4375, 1e-12));
  CHECK(pairs[1].first_ahead);
  CHECK(pairs[1].rows == 12);
}

TEST_CASE("items that separate no models have no Q, and scores that are not 0 or 1 are refused by place") {
  const MethodTable same{.methods = {"a", "b"}, .rows = {{1, 1}, {0, 0}, {1, 1}}};
  CHECK_FALSE(cochran_q(same).statistic);
  CHECK(cochran_q(same).p_two == 1.0);
  CHECK(refused_field([] { (void)cochran_q({.methods = {"a", "b"}, .rows = {{1, 1}, {0, .5}}}); }) == "rows[1][1]");
}

}  // namespace retrial::tests::cochran_q_tests
