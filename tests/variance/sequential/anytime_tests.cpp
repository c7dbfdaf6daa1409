#include "variance/sequential/anytime.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::tests::anytime_tests {

// Expected values: an independent program (the specification of the variance layer).

using namespace retrial::variance;
using Values = std::vector<double>;

namespace {
const Values bets{.9, .8, .7, .95, .85, .6, .9, .75, .8, .88};
}

TEST_CASE("the anytime t is a right-Haar Bayes factor") {
  CHECK_THAT(std::exp(log_t_e(2, 10)), WithinRel(1.5552410874, 1e-9));
  CHECK_THAT(std::exp(log_t_e(3, 10)), WithinRel(6.2446892433, 1e-9));
  CHECK_THAT(std::exp(log_t_e(4, 20, .5)), WithinRel(64.8762548859, 1e-9));
  CHECK(log_t_e(-3, 10) == log_t_e(3, 10));
}

TEST_CASE("differences without spread are evidence, but finite") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_THAT(std::exp(log_t_e(infinity, 5)), WithinRel(36.0, 1e-12));  // (1 + n)^((n - 1) / 2)
  CHECK(std::exp(log_t_e(infinity, 4)) < 20.0);                        // the earliest verdict is at five
  CHECK_FALSE(t_boundary(4));
  CHECK(t_boundary(5));
}

TEST_CASE("the boundary of t is where the e-value reaches 1 / alpha") {
  for (const std::int64_t n : {5, 10, 100, 10'000})
    CHECK_THAT(log_t_e(*t_boundary(n), n), WithinAbs(std::log(20.0), 1e-9));
  const Values values{1, 2, 3, 2, 1, 2, 3};
  const auto interval = t_sequence(values);
  const double t = (2.0 - *interval.low) / (*sd(values) / std::sqrt(7.0));
  CHECK_THAT(log_t_e(t, 7), WithinAbs(std::log(20.0), 1e-9));
  CHECK_FALSE(t_sequence(Values{1, 2}).low);
}

TEST_CASE("the anytime t holds its level under peeking where the t test does not") {
  int anytime = 0, peeking = 0;
  constexpr int series = 2000;
  for (std::uint64_t i = 0; i < series; ++i) {
    Stream draws(11, i);
    double sum = 0.0, squares = 0.0;
    bool fell = false, fooled = false;
    for (std::int64_t n = 1; n <= 200; ++n) {
      const double x = normal(draws.next()), count = static_cast<double>(n);
      sum += x;
      squares += x * x;
      if (n < 5) continue;
      const double variance = (squares - sum * sum / count) / (count - 1.0), t = sum / std::sqrt(count * variance);
      fell = fell || log_t_e(t, n) >= std::log(20.0);
      fooled = fooled || std::fabs(t) >= 1.96 + 2.4 / static_cast<double>(n - 1);  // about the 97.5 % point of t
    }
    anytime += fell ? 1 : 0;
    peeking += fooled ? 1 : 0;
  }
  CHECK_THAT(anytime / double(series), WithinAbs(.0318, .012));  // three standard errors
  CHECK_THAT(peeking / double(series), WithinAbs(.387, .05));
}

TEST_CASE("wealth of a bettor on ten scores") {
  CHECK_THAT(std::exp(betting_wealth(bets, .5).log_up), WithinRel(10.54580027, 1e-8));
  CHECK_THAT(std::exp(betting_wealth(bets, .7).log_up), WithinRel(1.595063802, 1e-8));
  CHECK_THAT(std::exp(betting_wealth(bets, .3).log_up), WithinRel(282.1111366, 1e-8));
  // Mirrored scores, mirrored bets.
  Values mirrored(bets);
  for (double& x : mirrored) x = 1.0 - x;
  CHECK_THAT(betting_wealth(mirrored, .3).log_down, WithinAbs(betting_wealth(bets, .7).log_up, 1e-12));
}

TEST_CASE("the betting interval ends where a bettor is as rich as two over alpha") {
  BettingSequence sequence;
  CHECK(*sequence.interval().low == 0.0);
  CHECK(*sequence.interval().high == 1.0);
  for (const double x : bets) sequence.add(x);
  const auto interval = sequence.interval();
  const auto at_low = betting_wealth(bets, *interval.low);
  CHECK_THAT(at_low.log_up, WithinAbs(std::log(40.0), 1e-5));
  CHECK(*interval.low > .3);
  CHECK(*interval.low < .5);
  CHECK(*interval.high > interval.point);
}

TEST_CASE("betting intervals only shrink, and a drift leaves no mean at all") {
  BettingSequence sequence;
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 60; ++i) {
    sequence.add(.9 + .05 * (i % 2));
    const auto interval = sequence.interval();
    CHECK(*interval.low >= low);
    CHECK(*interval.high <= high);
    low = *interval.low;
    high = *interval.high;
  }
  for (int i = 0; i < 400; ++i) sequence.add(.1);
  CHECK_FALSE(sequence.interval().low);
}

TEST_CASE("the empirical Bernstein interval uses the predictable variance") {
  CHECK_THAT(predictable_variance(bets), WithinAbs(.2924699409, 1e-10));
  const auto interval = bernstein_sequence(bets);
  CHECK_THAT(interval.point - *interval.low, WithinAbs(.53359810328, 1e-9));
  CHECK(*interval.high == 1.0);
}

TEST_CASE("scores outside the declared range are refused by name") {
  CHECK(refused_field([] { (void)betting_wealth(Values{.5, 1.5}, .5); }) == "values[1]");
  CHECK(refused_field([] { BettingSequence().add(-1); }) == "values[0]");
  CHECK(refused_field([] { (void)betting_wealth(Values{.5}, 1); }) == "m");
  CHECK(refused_field([] { (void)log_t_e(1, 1); }) == "n");
}

}  // namespace retrial::tests::anytime_tests
