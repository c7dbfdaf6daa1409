#include "variance/designs/pilot_power.hpp"

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::pilot_power_tests {

using namespace retrial::variance;

namespace {

/// The candidate wins seven pairs of ten, by differences of many sizes.
const Pilot ten{.candidate = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, .baseline = {0, 0, 0, 0, 0, 0, 0, 9, 11, 13}};
const PilotPlan sign{.test = "sign", .settings = {.direction = Direction::higher}, .studies = 4'000, .key = 5};

}  // namespace

TEST_CASE("the sign test's power from a pilot is binomial in the share of pairs won") {
  // Wins of n drawn pairs are Bin(n, .7): the exact power, and a simulation of 4,000 studies within four standard
  // errors.
  for (const std::int64_t n : {5, 20, 42}) {
    std::int64_t needed = 0;
    while (binomial_at_least(needed, n, .5) > .05) ++needed;
    const double exact = binomial_at_least(needed, n, .7);
    const Estimate power = simulated_power(ten, n, 0.0, sign);
    CHECK_THAT(power.point, WithinAbs(exact, 4.0 * .008));
    CHECK(*power.low < power.point);
    CHECK(*power.high > power.point);
  }
  // Nine pairs of ten won after a shift of 2.5; in the other direction, three of ten.
  CHECK_THAT(simulated_power(ten, 20, 2.5, sign).point, WithinAbs(binomial_at_least(15, 20, .9), 4.0 * .008));
  PilotPlan lower = sign;
  lower.settings.direction = Direction::lower;
  CHECK_THAT(simulated_power(ten, 20, 0.0, lower).point, WithinAbs(binomial_at_least(15, 20, .3), 4.0 * .008));
}

TEST_CASE("the claim is the one that the pilot's effect points to") {
  const Estimate effect = pilot_effect(ten, sign);
  CHECK_THAT(effect.point, WithinAbs(2.2, 1e-12));
  // Differences 1 .. 7, -1, -2, -3: s^2 = (154 - 48.4) / 9, and t of 9 degrees of freedom at .975 (tables).
  CHECK_THAT(*effect.low, WithinAbs(2.2 - 2.2621572 * 1.0832051, 1e-6));
  CHECK(pilot_claim(effect, sign) == Status::better);
  PilotPlan other = sign;
  other.settings.direction = Direction::lower;
  CHECK(pilot_claim(effect, other) == Status::worse);
  other.test = "tost";
  CHECK(pilot_claim(effect, other) == Status::equivalent);
}

TEST_CASE("threads and the number of runs change no draw of a study") {
  PilotPlan plan = sign;
  plan.test = "welch";
  plan.studies = 200;
  const double one = simulated_power(ten, 12, 0.0, plan).point;
  plan.threads = 3;
  CHECK(simulated_power(ten, 12, 0.0, plan).point == one);
  plan.key = 6;
  CHECK(simulated_power(ten, 12, 0.0, plan).point != one);
}

TEST_CASE("a test that draws has a key of its own in every study") {
  PilotPlan plan{.test = "paired_permutation", .settings = {.direction = Direction::higher, .resamples = 1'000}};
  plan.studies = 20;
  CHECK(simulated_power(ten, 30, 0.0, plan).point > .5);
}

TEST_CASE("a pilot names what it cannot be used for") {
  const auto field = [](auto&& change, std::int64_t runs = 10, double shift = 0.0) {
    PilotPlan plan = sign;
    plan.studies = 10;
    change(plan);
    return refused_field([&] { (void)simulated_power(ten, runs, shift, plan); });
  };
  CHECK(field([](auto& plan) { plan.test = "no_test"; }) == "test");
  CHECK(field([](auto& plan) { plan.test = "five_by_two_t"; }) == "test");
  CHECK(field([](auto& plan) { plan.studies = 0; }) == "studies");
  CHECK(field([](auto&) {}, 0) == "runs");
  CHECK(field([](auto& plan) { plan.test = "mcnemar"; }, 10, 1.0) == "shift");
}

}  // namespace retrial::tests::pilot_power_tests
