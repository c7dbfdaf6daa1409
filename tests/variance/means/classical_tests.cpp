#include "variance/means/classical.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/means/paired.hpp"

namespace retrial::tests::classical_tests {

// Values from R and SciPy documentation and tests, or computed by two independent programs (the specification of the
// variance layer names them), unless a test says otherwise.

using namespace retrial::variance;
using Scores = std::vector<double>;

namespace {
const Scores females{20, 11, 17, 12}, males{19, 22, 16, 29, 24};
const Scores differences{.02, .01, -.005, .03, .015, 0, .01, .025, -.01, .02};
}  // namespace

TEST_CASE("Welch's t agrees with SciPy on its example of two groups") {
  const auto welch = welch_t(females, males);
  CHECK_THAT(*welch.test.statistic, WithinAbs(-2.2831482557, 1e-10));
  CHECK_THAT(*welch.test.df, WithinAbs(6.9288374828, 1e-10));
  CHECK_THAT(welch.test.p_two, WithinAbs(.0567509259, 1e-10));
  CHECK(welch.difference.point == -7.0);
  CHECK(welch.difference.method == "Welch t");
}

TEST_CASE("Welch's interval excludes zero exactly when its two-sided p is below alpha") {
  for (const double shift : {0.0, 1.0, 3.0, 6.0, 9.0, 12.0}) {
    Scores moved = males;
    for (double& x : moved) x += shift;
    const auto result = welch_t(moved, females, .05);
    CHECK((*result.difference.low > 0.0) == (result.test.p_two < .05));
  }
}

TEST_CASE("samples without spread give an infinite statistic, or none") {
  const auto apart = welch_t(Scores{2, 2, 2}, Scores{1, 1});
  const auto& differ = apart.test;
  CHECK(differ.statistic == std::numeric_limits<double>::infinity());
  CHECK(differ.p_greater == .1);  // one of the ten labellings of five runs
  CHECK(differ.p_less == 1.0);
  CHECK(apart.by_labels);
  CHECK_FALSE(apart.difference.low);  // so few runs reject no difference at .05
  CHECK(welch_t(Scores(4, 2.0), Scores(4, 1.0)).difference.low == 1.0);
  CHECK(differ.note == "degenerate: neither sample varies");
  const auto equal = welch_t(Scores{2, 2, 2}, Scores{2, 2}).test;
  CHECK_FALSE(equal.statistic);
  CHECK(equal.p_two == 1.0);
}

TEST_CASE("Welch's test of equivalence takes the larger of two one-sided p values") {
  // Two Welch tests of the samples shifted by the margin.
  Scores up = males, down = males;
  for (double& x : up) x += 10;
  for (double& x : down) x -= 10;
  const auto result = welch_equivalence(males, females, 10).test;
  CHECK_THAT(result.p_two,
             WithinRel(std::max(welch_t(up, females).test.p_greater, welch_t(down, females).test.p_less), 1e-12));
  CHECK(welch_equivalence(males, females, 30).test.p_two < .05);
  CHECK(refused_field([] { (void)welch_equivalence(males, females, 0.0); }) == "margin");
}

TEST_CASE("the corrected resampled t widens with the share of test to training rows") {
  CHECK_THAT(*paired_t(differences)->statistic, WithinAbs(2.7688746210, 1e-10));
  CHECK_THAT(paired_t(differences)->p_two, WithinAbs(.0217935732, 1e-10));
  const auto ninth = paired_t(differences, {.overlap = 1.0 / 9.0});
  CHECK_THAT(*ninth->statistic, WithinAbs(1.9056702095, 1e-10));
  CHECK_THAT(ninth->p_two, WithinAbs(.0890766006, 1e-10));
  const auto bootstrap = paired_t(differences, {.overlap = .582});
  CHECK_THAT(*bootstrap->statistic, WithinAbs(1.0602568899, 1e-10));
  CHECK_THAT(bootstrap->p_two, WithinAbs(.3166511208, 1e-10));
}

TEST_CASE("all sign flips of three differences are enumerated") {
  // Sums of (+-1, +-2, +-4): 7 is the largest of eight, so p is 1/8.
  const auto result = paired_permutation(Scores{1, 2, 4});
  CHECK(result.exact);
  CHECK(result.p_greater == 1.0 / 8);
  CHECK(result.p_less == 1.0);
  CHECK(result.p_two == 2.0 / 8);
  // 5 and 7 of 8 are at least 5.
  CHECK(paired_permutation(Scores{-1, 2, 4}).p_greater == 2.0 / 8);
}

TEST_CASE("all labellings of two small samples are enumerated") {
  // 1 of C(5, 2) = 10 choices sums to 9 or more.
  const auto result = permutation_test(Scores{4, 5}, Scores{1, 2, 3});
  CHECK(result.exact);
  CHECK(result.p_greater == .1);
  CHECK(result.p_two == .2);
  CHECK(result.statistic == 2.5);
}

TEST_CASE("exact permutation p values agree with SciPy's") {
  // scipy 1.17.1: permutation_test((a, b), difference of means, alternative='greater', n_resamples=inf) and the same
  // with permutation_type='samples' on a - b.
  const Scores a{.81, .83, .80, .86, .84}, b{.80, .82, .79, .81, .83};
  CHECK_THAT(permutation_test(a, b).p_greater, WithinRel(.12698412698412698, 1e-14));
  CHECK(paired_permutation(Scores{.01, .01, .01, .05, .01}).p_greater == .03125);
}

TEST_CASE("a permutation law that is drawn needs a seed, repeats, and agrees with the exact one") {
  const Scores d{3, -1, 2, 5, -2, 4, 1, 6, -3, 2.5};
  const auto exact = paired_permutation(d);
  CHECK(refused_field([&] { (void)paired_permutation(d, {.enumerate_to = 0}); }) == "seed");
  const Relabelling drawn{.draws = 20'000, .key = 7, .enumerate_to = 0};
  const auto first = paired_permutation(d, drawn), second = paired_permutation(d, drawn);
  CHECK_FALSE(first.exact);
  CHECK(first.p_greater == second.p_greater);
  CHECK_THAT(first.p_greater, WithinAbs(exact.p_greater, 4 * std::sqrt(.25 / 20'000)));
  CHECK(paired_permutation(d, {.draws = 20'000, .key = 8, .enumerate_to = 0}).p_greater != first.p_greater);
  const auto labels = permutation_test(males, females, {.draws = 20'000, .key = 7, .enumerate_to = 0});
  CHECK_THAT(labels.p_greater, WithinAbs(permutation_test(males, females).p_greater, 4 * std::sqrt(.25 / 20'000)));
}

TEST_CASE("a drawn permutation p is never zero") {
  const Scores d(40, 1.0);
  CHECK(paired_permutation(d, {.draws = 1'000, .key = 1}).p_greater == 1.0 / 1'001);
}

TEST_CASE("the two tests of 5x2 cross-validation") {
  const Scores d{.03, .01, .02, -.01, .04, .02, .01, .03, .02, .02};
  const auto f = five_by_two_f(d);
  CHECK_THAT(*f.statistic, WithinAbs(2.5238095238, 1e-10));
  CHECK_THAT(f.p_two, WithinAbs(.1593160513, 1e-10));
  // s_i^2: 2e-4, 4.5e-4, 2e-4, 2e-4, 0; t = .03 / sqrt(2.1e-4).
  const auto t = five_by_two_t(d);
  CHECK_THAT(*t.statistic, WithinRel(.03 / std::sqrt(2.1e-4), 1e-12));
  CHECK(t.df == 5.0);
  CHECK(refused_field([] { (void)five_by_two_f(Scores{1, 2, 3}); }) == "differences");
}

TEST_CASE("McNemar's statistic and its exact binomial") {
  const auto many = mcnemar(21, 9), few = mcnemar(3, 12);
  CHECK_THAT(many.chi_squared, WithinAbs(4.0333333333, 1e-10));
  CHECK_THAT(many.p_chi_squared, WithinAbs(.0446097180, 1e-10));
  CHECK_THAT(many.p_exact, WithinAbs(.0427739453, 1e-10));
  CHECK_THAT(few.chi_squared, WithinAbs(4.2666666667, 1e-10));
  CHECK_THAT(few.p_chi_squared, WithinAbs(.0388671038, 1e-10));
  CHECK_THAT(few.p_exact, WithinAbs(.03515625, 1e-10));
  // Half of P(Bin(15, 1/2) = 3) = 455 / 32768 less in each tail.
  CHECK_THAT(few.p_mid, WithinRel(.03515625 - 455.0 / 32768, 1e-12));
  CHECK(few.p_less < few.p_greater);
  CHECK(mcnemar(0, 0).p_exact == 1.0);
}

}  // namespace retrial::tests::classical_tests
