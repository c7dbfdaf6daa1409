#include "variance/comparisons/intervals.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::tests::intervals_tests {

using namespace retrial::variance;

namespace {

void check(const Estimate& estimate, double low, double high) {
  CAPTURE(estimate.method);
  REQUIRE(estimate.low);
  REQUIRE(estimate.high);
  CHECK_THAT(*estimate.low, WithinAbs(low, 1e-10));
  CHECK_THAT(*estimate.high, WithinAbs(high, 1e-10));
}

using Method = Estimate (*)(std::int64_t, std::int64_t, double);

double coverage(Method method, std::int64_t n, double p) {
  double covered = 0;
  for (std::int64_t x = 0; x <= n; ++x) {
    const auto interval = method(x, n, .05);
    if (*interval.low <= p && p <= *interval.high) covered += binomial_exactly(x, n, p);
  }
  return covered;
}

void check_coverage(Method method, std::int64_t n, const std::vector<double>& expected) {
  const double shares[] = {.5, .6, .75, .8, .9, .95, .99};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(n, shares[i]);
    CHECK_THAT(coverage(method, n, shares[i]), WithinAbs(expected[i], 1e-4));
  }
}

}  // namespace

TEST_CASE("Clopper-Pearson intervals have their reference values") {
  // 20/100 and 3/50 are also in the tests of R and SciPy; the others by two programs written apart from this one.
  check(clopper_pearson(20, 29), .4916766462, .8471540604);
  check(clopper_pearson(21, 29), .5276155176, .8726598859);
  check(clopper_pearson(20, 100), .1266555521019559, .2918426890886281);
  check(clopper_pearson(3, 50, .01), .0068724853, .2027062695);
  check(clopper_pearson(0, 10), 0, .3084971078);
  check(clopper_pearson(10, 10), .6915028922, 1);
  check(clopper_pearson(1, 1), .025, 1);
  check(clopper_pearson(3, 3), .2924017738, 1);
  CHECK(clopper_pearson(20, 29).point == 20.0 / 29.0);
  CHECK(clopper_pearson(20, 29, .01).level == .99);
  CHECK(clopper_pearson(20, 29).method == "clopper_pearson");
}

TEST_CASE("mid-p and Wilson intervals have their reference values") {
  check(mid_p(22, 29), .5799058122, .8878404895);
  check(mid_p(7, 10), .3800814341, .9173997830);
  check(mid_p(0, 10), 0, .2588655509);
  check(wilson(20, 29), .5076986577, .8272438326);
  check(wilson(7, 10), .3967781475, .8922087326);
  check(wilson(1, 1), .2065493144, 1);
}

TEST_CASE("the percentile interval of infinitely many resamples has its reference values and degenerates") {
  check(percentile(19, 29), .4827586207, .8275862069);
  check(percentile(20, 29), .5172413793, .8620689655);
  check(percentile(21, 29), .5517241379, .8620689655);
  check(percentile(22, 29), .5862068966, .8965517241);
  check(percentile(25, 29), .7241379310, .9655172414);
  check(percentile(29, 29), 1, 1);
  check(percentile(0, 29), 0, 0);
}

TEST_CASE("exact coverages show what each interval is worth") {
  // Exact sums at p = .5 .6 .75 .8 .9 .95 .99, by two programs written apart from this one.
  check_coverage(percentile, 5, {.9375, .9120, .7471, .6656, .4009, .2251, .0490});
  check_coverage(percentile, 10, {.9785, .9413, .9240, .8863, .6497, .4002, .0956});
  check_coverage(percentile, 50, {.9672, .9560, .9408, .9375, .9569, .9113, .3934});
  check_coverage(clopper_pearson, 5, {1.0000, .9898, .9844, .9933, .9914, .9774, .9990});
  check_coverage(clopper_pearson, 10, {.9785, .9817, .9803, .9936, .9872, .9885, .9957});
  check_coverage(clopper_pearson, 50, {.9672, .9707, .9667, .9671, .9703, .9882, .9862});
  check_coverage(wilson, 10, {.9785, .9817, .9803, .9672, .9298, .9139, .9044});
}

TEST_CASE("Clopper-Pearson covers at least its level everywhere") {
  for (const std::int64_t n : {1, 2, 7, 29, 42})
    for (double p = .01; p < 1; p += .01) REQUIRE(coverage(clopper_pearson, n, p) >= .95);
}

TEST_CASE("intervals are mirrored when successes and failures are exchanged") {
  for (const Method method : {clopper_pearson, mid_p, wilson})
    for (std::int64_t x = 0; x <= 17; ++x) {
      const auto one = method(x, 17, .05), other = method(17 - x, 17, .05);
      REQUIRE_THAT(*one.low, WithinAbs(1 - *other.high, 1e-12));
    }
}

TEST_CASE("two-sided binomial p values are those of R") {
  // R's binom.test as quoted in SciPy's tests.
  CHECK_THAT(binomial_two_sided(11, 21, .48), WithinRel(.8278629664608, 1e-12));
  CHECK_THAT(binomial_two_sided(7, 21, .48), WithinRel(.1966772901718, 1e-12));
  CHECK_THAT(binomial_two_sided(20, 100, .25), WithinRel(.2983720970096, 1e-12));
  CHECK_THAT(binomial_two_sided(0, 10, .5), WithinRel(2.0 / 1024, 1e-12));
  CHECK(binomial_two_sided(5, 10, .5) == 1.0);
  CHECK(binomial_two_sided(0, 0, .3) == 1.0);
}

TEST_CASE("binomial probabilities have their ends and their sums") {
  CHECK(binomial_at_least(0, 5, .3) == 1.0);
  CHECK(binomial_at_least(6, 5, .3) == 0.0);
  CHECK(binomial_at_most(-1, 5, .3) == 0.0);
  CHECK(binomial_at_most(5, 5, .3) == 1.0);
  CHECK(binomial_exactly(6, 5, .3) == 0.0);
  CHECK(binomial_exactly(0, 5, 0.0) == 1.0);
  CHECK(binomial_exactly(5, 5, 1.0) == 1.0);
  CHECK_THAT(binomial_exactly(2, 5, .3), WithinRel(10 * .09 * .343, 1e-13));
  for (std::int64_t k = 0; k <= 5; ++k)
    CHECK_THAT(binomial_at_most(k, 5, .3) + binomial_at_least(k + 1, 5, .3), WithinAbs(1, 1e-14));
}

TEST_CASE("an impossible count or level is refused by name") {
  CHECK(refused_field([] { (void)clopper_pearson(0, 0); }) == "n");
  CHECK(refused_field([] { (void)wilson(3, 2); }) == "x");
  CHECK(refused_field([] { (void)mid_p(-1, 2); }) == "x");
  CHECK(refused_field([] { (void)percentile(1, 2, 0.0); }) == "alpha");
  CHECK(refused_field([] { (void)binomial_at_most(1, 2, 1.5); }) == "p");
}

TEST_CASE("the binomial floor has its reference values") {
  CHECK_THAT(binomial_floor(.66, 277), WithinRel(.0284624016, 1e-8));
  CHECK_THAT(binomial_floor(.95, 872), WithinRel(.0073805472, 1e-8));
  CHECK(binomial_floor(1.0, 10) == 0.0);
  CHECK(refused_field([] { (void)binomial_floor(66.0, 277); }) == "tau");
  CHECK(refused_field([] { (void)binomial_floor(.5, 0); }) == "items");
}

}  // namespace retrial::tests::intervals_tests
