// References: statsmodels 0.15.0 (TTestIndPower) and scipy 1.17.1 (nct), as named beside the values.
#include "variance/designs/planned_tests.hpp"

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"

namespace retrial::tests::planned_tests_tests {

using namespace retrial::variance;

namespace {

const PlannedTest& planned(std::string_view name) {
  return *find_planned_test(name);
}

}  // namespace

TEST_CASE("every planned test is a test of the table, with its pairing") {
  for (const auto& test : all_planned_tests()) {
    const auto* row = find_comparison(test.name);
    REQUIRE(row != nullptr);
    CHECK(row->pairing == test.pairing);
    CHECK((row->needs == "margin") == test.equivalence);
    CHECK((row->needs == "overlap") == test.overlap);
  }
  CHECK(find_planned_test("aso") == nullptr);
}

TEST_CASE("runs for power 90 % of Welch's test are those of the noncentral t") {
  // TTestIndPower().power(gap / sd, n, .05): the least n with .9. The normal formula gave 2, 4, 22, 8 and 3.
  const PowerSettings two{.beta = .1, .sides = Sides::two};
  CHECK(runs_for(planned("welch"), 1.43 / .35, two) == 3);
  CHECK(runs_for(planned("welch"), .91 / .35, two) == 5);
  CHECK(runs_for(planned("welch"), 1.0, two) == 23);
  CHECK(runs_for(planned("welch"), .3 / .18, two) == 9);
  CHECK(runs_for(planned("welch"), 1.0 / .33, two) == 4);
  CHECK(runs_for(planned("welch"), .91, two) == 27);
  // It also counts claims in the wrong direction, 1e-7 of the studies here.
  CHECK_THAT(planned("welch").power(2, 1.43 / .35, two), WithinAbs(.5789821424, 2e-7));
  CHECK_THAT(planned("welch").power(22, 1.0, two), WithinAbs(.8997137452, 2e-7));
}

TEST_CASE("overlapping training sets set a limit to the power") {
  // nct.sf(t.ppf(.95, n - 1), n - 1, d / sqrt(1 / n + overlap)).
  const PowerSettings quarter{.overlap = .25}, out_of_bootstrap{.overlap = .582};
  CHECK_THAT(planned("corrected_t").power(10, 1.0, quarter), WithinAbs(.4670195964, 1e-9));
  CHECK_THAT(planned("corrected_t").power(20, 1.0, quarter), WithinAbs(.5459206231, 1e-9));
  CHECK_THAT(planned("corrected_t").power(30, 2.0, out_of_bootstrap), WithinAbs(.8008198816, 1e-9));
  CHECK_THAT(planned("corrected_t").power(10, 1.0, {}), WithinAbs(planned("paired_t").power(10, 1.0, {}), 1e-14));
  // d / sqrt(overlap) = 2: with any number of runs the power stays below P(Z > 1.645 - 2) = .639.
  CHECK_FALSE(runs_for(planned("corrected_t"), 1.0, quarter));
  CHECK(runs_for(planned("corrected_t"), 2.0, quarter));
}

TEST_CASE("runs, size and power of every planned test invert each other") {
  const PowerSettings settings{.beta = .2, .overlap = .1};
  for (const auto& test : all_planned_tests()) {
    INFO(test.name);
    const auto runs = runs_for(test, 1.2, settings);
    REQUIRE(runs);
    CHECK(test.power(*runs, 1.2, settings) >= .8);
    CHECK(test.power(*runs - 1, 1.2, settings) < .8);
    const auto size = detectable_size(test, *runs, settings);
    REQUIRE(size);
    CHECK(*size <= 1.2 * (1 + 1e-4));
    CHECK_THAT(test.power(*runs, *size, settings), WithinAbs(.8, 1e-4));
    CHECK(refused_field([&] { (void)runs_for(test, 0.0, settings); }) == "size");
    CHECK(refused_field([&] { (void)test.power(9, 1.0, {.alpha = .5}); }) != "nothing thrown");
  }
  CHECK_FALSE(detectable_size(planned("wilcoxon"), 4, settings));      // 1 / 16 > .05
  CHECK_FALSE(detectable_size(planned("mann_whitney"), 2, settings));  // 1 / 6 > .05
}

}  // namespace retrial::tests::planned_tests_tests
