#include "variance/means/paired.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::paired_tests {

using namespace retrial::variance;

namespace {

const std::vector<double> d{.02, .01, -.005, .03, .015, 0, .01, .025, -.01, .02};

std::vector<int> signs(const std::string& text) {
  std::vector<int> result;
  for (const char c : text) result.push_back(c == '+' ? 1 : -1);
  return result;
}

}  // namespace

TEST_CASE("the paired t test has its reference values") {
  // Computed by a program written apart from this one; mean .0115, variance 1.725e-4.
  const auto t = paired_t(d).value();
  CHECK_THAT(t.statistic.value(), WithinRel(2.7688746210, 1e-9));
  CHECK(t.df == 9);
  CHECK_THAT(t.p_two, WithinRel(.0217935732, 1e-8));
  CHECK_THAT(t.p_greater, WithinRel(.0217935732 / 2, 1e-8));
  CHECK_THAT(t.p_less, WithinAbs(1 - .0217935732 / 2, 1e-10));
  CHECK_THAT(t.mean.point, WithinAbs(.0115, 1e-15));
  CHECK(t.mean.level == .95);
}

TEST_CASE("the interval of the mean difference inverts the test") {
  const auto t = paired_t(d, {.alpha = .0217935732}).value();  // its own p value: one end of the interval is 0
  CHECK_THAT(t.mean.low.value(), WithinAbs(0, 1e-11));
  CHECK_THAT(t.mean.high.value(), WithinAbs(.023, 1e-11));
}

TEST_CASE("the corrected resampled t widens by the overlap of the training sets") {
  const auto folds = paired_t(d, {.overlap = 1.0 / 9}).value(), bootstrap = paired_t(d, {.overlap = .582}).value();
  CHECK_THAT(folds.statistic.value(), WithinRel(1.9056702095, 1e-9));
  CHECK_THAT(folds.p_two, WithinRel(.0890766006, 1e-8));
  CHECK_THAT(bootstrap.statistic.value(), WithinRel(1.0602568899, 1e-9));
  CHECK_THAT(bootstrap.p_two, WithinRel(.3166511208, 1e-8));
}

TEST_CASE("differences without spread give an infinite statistic or none, and say degenerate") {
  const auto up = paired_t(std::vector{.1, .1, .1}).value();
  CHECK(up.statistic == std::numeric_limits<double>::infinity());
  CHECK(up.p_greater == 1.0 / 8);  // one of the eight signs of three differences
  CHECK(up.p_less == 1.0);
  CHECK(up.p_two == 1.0 / 4);
  CHECK(up.by_signs);
  CHECK(up.degenerate);
  CHECK_FALSE(up.mean.low);  // three differences reject no mean at .05
  CHECK_FALSE(up.mean.high);
  CHECK_THAT(paired_t(std::vector(6, .1)).value().mean.low.value(), WithinRel(.1, 1e-12));
  CHECK(paired_t(std::vector{-.1, -.1}).value().p_less == 1.0 / 4);
  const auto none = paired_t(std::vector{0.0, 0.0, 0.0}).value();
  CHECK_FALSE(none.statistic);
  CHECK(none.p_two == 1.0);
  CHECK(none.p_greater == 1.0);
  CHECK(none.degenerate);
}

TEST_CASE("rounding noise of decimal data is no spread") {
  const std::vector<double> noisy{.3 - .2, .2 - .1, .9 - .8};  // .09999999999999998, .1, .09999999999999998
  CHECK_FALSE(paired_t(noisy).value().degenerate);
  CHECK(paired_t(noisy, {.tolerance = 1e-12}).value().degenerate);
}

TEST_CASE("one difference has no t test") {
  CHECK_FALSE(paired_t(std::vector{.1}));
  CHECK_FALSE(paired_t({}));
  CHECK_FALSE(tost(std::vector{.1}, 1.0));
  CHECK_FALSE(pairing_gain(std::vector{1.0}, std::vector{2.0}));
}

TEST_CASE("equivalence is two one-sided t tests against the margin") {
  // With mean .0115, se = .0115 / 2.768874621 and 9 df: t = (.0115 -+ margin) / se.
  const double se = .0115 / 2.7688746210, margin = .02;
  const auto test = tost(d, margin).value();
  CHECK(student_cdf(-(.0115 + margin) / se, 9) < 1.0 / 1024);
  CHECK(test.p_above == 1.0 / 1024);  // these differences repeat: no less than the signs of ten allow
  CHECK_THAT(test.p_below, WithinRel(student_cdf((.0115 - margin) / se, 9), 1e-7));
  CHECK(test.p() == test.p_below);
  CHECK(test.equivalent == (test.p_below <= .05));
  CHECK(tost(d, .03).value().equivalent);
  CHECK_FALSE(tost(d, .012).value().equivalent);
  CHECK_FALSE(tost(d, .03, {.overlap = .582}).value().equivalent);
}

TEST_CASE("TOST agrees with the interval of level 1 - 2 alpha") {
  Stream stream(derive(4, "tost"));
  int equivalent = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    std::vector<double> sample(8);
    for (double& x : sample) x = normal(stream.next());
    const auto interval = paired_t(sample, {.alpha = .1}).value().mean;
    const bool inside = *interval.low > -.8 && *interval.high < .8;
    REQUIRE(tost(sample, .8).value().equivalent == inside);
    equivalent += inside;
  }
  CHECK(equivalent > 20);
  CHECK(equivalent < 280);
}

TEST_CASE("without spread, equivalence is whether the mean lies inside the margin") {
  CHECK(tost(std::vector(5, .1), .2).value().equivalent);
  CHECK(tost(std::vector(5, .1), .2).value().p() == 1.0 / 32);
  CHECK_FALSE(tost(std::vector(4, .1), .2).value().equivalent);
  CHECK_FALSE(tost(std::vector{.3, .3}, .2).value().equivalent);
  const auto on_margin = tost(std::vector{.2, .2}, .2, {.tolerance = 1e-12}).value();
  CHECK_FALSE(on_margin.equivalent);
  CHECK(on_margin.p_below == 1.0);
  CHECK(tost(std::vector{-.2, -.2}, .2, {.tolerance = 1e-12}).value().p_above == 1.0);
}

TEST_CASE("the runs test has its reference values") {
  // Exact law by two programs written apart from this one.
  const auto mixed = runs_of_signs(signs("+++--+---++-")).value();
  CHECK(mixed.runs == 6);
  CHECK(mixed.mean == 7);
  CHECK_THAT(mixed.variance, WithinRel(2.7272727273, 1e-10));
  CHECK_THAT(mixed.z, WithinRel(-.6055300708, 1e-9));
  CHECK_THAT(mixed.p_two, WithinRel(.7835497835, 1e-9));
  const auto sorted = runs_of_signs(signs("++++++------")).value();
  CHECK(sorted.runs == 2);
  CHECK_THAT(sorted.p_two, WithinRel(.0043290043, 1e-8));
}

TEST_CASE("the exact law of runs is that of counting all orders") {
  // 4 pluses and 3 minuses: 35 orders, counted here one by one.
  for (int mask = 0; mask < 128; ++mask) {
    std::vector<int> order(7);
    for (int i = 0; i < 7; ++i) order[static_cast<std::size_t>(i)] = mask >> i & 1 ? 1 : -1;
    const auto test = runs_of_signs(order);
    if (!test || test->above != 4) continue;
    int fewer = 0, more = 0, all = 0;
    for (int other = 0; other < 128; ++other) {
      int ones = 0, runs = 1;
      for (int i = 0; i < 7; ++i) ones += other >> i & 1;
      for (int i = 1; i < 7; ++i) runs += (other >> i & 1) != (other >> (i - 1) & 1);
      if (ones != 4) continue;
      ++all;
      fewer += runs <= test->runs;
      more += runs >= test->runs;
    }
    REQUIRE(all == 35);
    REQUIRE_THAT(test->p_less, WithinRel(fewer / 35.0, 1e-12));
    REQUIRE_THAT(test->p_greater, WithinRel(more / 35.0, 1e-12));
  }
}

TEST_CASE("runs are counted about the median, which itself is left out") {
  const auto rising = runs_test(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}).value();
  CHECK(rising.above == 4);
  CHECK(rising.below == 4);
  CHECK(rising.runs == 2);
  CHECK_FALSE(runs_test(std::vector<double>{1, 1, 1}));
  CHECK_FALSE(runs_test({}));
  CHECK(refused_field([] { (void)runs_of_signs(std::vector<int>{1, 0}); }) == "signs[1]");
}

TEST_CASE("the runs test rejects about as often as it says when there is no drift, and finds a drift") {
  int null = 0, drift = 0;
  Stream stream(derive(5, "runs"));
  for (int repeat = 0; repeat < 1000; ++repeat) {
    std::vector<double> level(30), slope(30);
    for (std::size_t i = 0; i < 30; ++i) {
      level[i] = normal(stream.next());
      slope[i] = level[i] + .15 * static_cast<double>(i);
    }
    null += runs_test(level).value().p_two < .05;
    drift += runs_test(slope).value().p_two < .05;
  }
  CHECK(null <= 74);  // exact and discrete: at most 5 %; above 74 with probability below .001
  CHECK(drift > 700);
}

TEST_CASE("the pairing gain is unpaired variance over paired") {
  const std::vector<double> one{1, 2, 3, 5}, two{1.5, 2, 3.5, 5};
  // one: mean 2.75, squares 8.75; two: mean 3, squares 7.5; differences -.5 0 -.5 0: mean -.25, squares .25.
  CHECK_THAT(pairing_gain(one, two).value(), WithinRel((8.75 + 7.5) / .25, 1e-12));
  CHECK_FALSE(pairing_gain(one, one));
  CHECK_FALSE(pairing_gain(std::vector{.3, .2}, std::vector{.2, .1}, 1e-12));
}

TEST_CASE("impossible options are refused by name") {
  CHECK(refused_field([] { (void)paired_t(d, {.alpha = 1.0}); }) == "alpha");
  CHECK(refused_field([] { (void)paired_t(d, {.overlap = -1}); }) == "overlap");
  CHECK(refused_field([] { (void)tost(d, 0.0); }) == "margin");
  CHECK(refused_field([] { (void)paired_t(std::vector{1.0, std::nan("")}); }) == "differences[1]");
}

}  // namespace retrial::tests::paired_tests
