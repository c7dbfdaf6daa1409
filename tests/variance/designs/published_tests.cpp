// References: five re-runs of DKD resnet32x4 -> resnet8x4 posted in megvii-research/mdistiller#7 against its published
// 76.32, t and p computed in double precision by two programs.
#include "variance/designs/published.hpp"

#include <vector>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::tests::published_tests {

using namespace retrial;
using variance::check_published;
using variance::PublishedOutcome;

namespace {

const std::vector<double> rerun{76.20, 75.80, 75.89, 75.85, 76.15};

}  // namespace

TEST_CASE("five public re-runs refute the published number") {
  const auto check = check_published(rerun, {.value = 76.32}, 0.5);
  CHECK(check.outcome == PublishedOutcome::refuted);
  CHECK_THAT(*check.statistic, WithinAbs(-4.16763, 5e-6));
  CHECK(check.df == 4.0);
  CHECK_THAT(*check.p_two, WithinAbs(0.0140581, 5e-8));
  // The 95 % interval of the mean: 75.750163 .. 76.205837.
  CHECK_THAT(76.32 + *check.difference.low, WithinAbs(75.750163, 1e-6));
  CHECK_THAT(76.32 + *check.difference.high, WithinAbs(76.205837, 1e-6));
  CHECK(check.reason.empty());
}

TEST_CASE("a number is confirmed only by an interval that lies within the margin") {
  // Around 75.978 the interval reaches 0.2278 to either side: a claim of 76.0 is within 0.25, not within 0.24.
  CHECK(check_published(rerun, {.value = 76.0}, 0.25).outcome == PublishedOutcome::confirmed);
  const auto wide = check_published(rerun, {.value = 76.0}, 0.24);
  CHECK(wide.outcome == PublishedOutcome::undecided);
  CHECK(wide.reason == "too few runs for the margin");
  CHECK(*wide.p_two > 0.5);  // a large p alone confirms nothing
}

TEST_CASE("a claim refuted by little is refuted however wide the margin is") {
  CHECK(check_published(rerun, {.value = 76.32}, 100.0).outcome == PublishedOutcome::refuted);
  CHECK(check_published(rerun, {.value = 76.32}, 0.5, 0.01).outcome == PublishedOutcome::undecided);
}

TEST_CASE("one run decides nothing, nor do runs without any spread") {
  const auto one = check_published(std::vector{90.0}, {.value = 90.0}, 0.5);
  CHECK(one.outcome == PublishedOutcome::undecided);
  CHECK(one.reason == "one run");
  CHECK_FALSE(one.sd);
  CHECK_FALSE(one.p_two);
  CHECK_FALSE(one.difference.low);
  const auto equal = check_published(std::vector{90.5, 90.5, 90.5}, {.value = 90.0}, 0.5);
  CHECK(equal.reason == "no variation");
  CHECK(equal.difference.point == 0.5);
  CHECK_FALSE(equal.statistic);
}

TEST_CASE("a published spread widens the interval as Welch's test does") {
  // se^2 = .18349386^2/5 + .2^2/5, df of Satterthwaite: computed in Python, p by Simpson's rule.
  const auto check = check_published(rerun, {.value = 76.32, .sd = 0.2, .runs = 5}, 0.5);
  CHECK(*check.df > 7.9);
  CHECK(*check.df < 8.0);
  CHECK_THAT(*check.statistic, WithinAbs(-2.8175119927, 1e-9));
  CHECK_THAT(*check.p_two, WithinAbs(0.0227464592, 1e-9));
  // The spread of one run does not count.
  CHECK(*check_published(rerun, {.value = 76.32, .sd = 0.2, .runs = 1}, 0.5).df == 4.0);
}

TEST_CASE("a published check names the argument it cannot use") {
  CHECK_THROWS_AS(check_published({}, {.value = 1.0}, 0.5), InvalidInput);
  CHECK_THROWS_AS(check_published(rerun, {.value = 76.0}, 0.0), InvalidInput);
  CHECK_THROWS_AS(check_published(rerun, {.value = 76.0}, 0.5, 0.5), InvalidInput);
  CHECK_THROWS_AS(check_published(std::vector{1.0, 0.0 / 0.0}, {.value = 1.0}, 0.5), InvalidInput);
}

}  // namespace retrial::tests::published_tests
