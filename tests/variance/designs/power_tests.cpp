#include "variance/designs/power.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/wins/decide.hpp"

namespace retrial::tests::power_tests {

using namespace retrial::variance;

TEST_CASE("forty-two pairs find gamma .75, twenty-nine do not") {
  CHECK_THAT(sign_power(42, .75), WithinAbs(.9583713019, 1e-10));  // exact binomial sum
  CHECK(sign_power(29, .75) < .84);
  CHECK(*detectable_gamma(42) < .75);
  CHECK(*detectable_gamma(29) > .79);
  CHECK_THAT(sign_power(42, *detectable_gamma(42)), WithinAbs(.95, 1e-9));
  CHECK_FALSE(detectable_gamma(4));  // 1/16 > .05: not even four wins of four
}

TEST_CASE("the power of a rule is that of its own number of wins") {
  // scipy 1.17.1, binom: pab_exact takes 68 of 100 wins at gamma .75, the sign test 59.
  const FixedRule with_gamma = fixed_rule(100, {}), sign = fixed_rule(100, {.gamma = std::nullopt});
  CHECK(*with_gamma.better_from == 68);
  CHECK(*sign.better_from == 59);
  CHECK_THAT(rule_power(with_gamma, .75), WithinAbs(.9554036748, 1e-9));
  CHECK_THAT(rule_power(sign, .75), WithinAbs(.9998529257, 1e-9));
  CHECK_THAT(rule_power(with_gamma, .6644), WithinAbs(.4155884648, 1e-9));  // the share that the sign test finds
  CHECK_THAT(*detectable_share(with_gamma), WithinAbs(.7476965230, 1e-8));
  CHECK_THAT(*detectable_share(sign), WithinAbs(.6635202549, 1e-8));
  for (const auto& rule : {with_gamma, sign})
    CHECK_THAT(rule_power(rule, *detectable_share(rule, .2)), WithinAbs(.8, 1e-9));
  CHECK(rule_power(fixed_rule(4, {}), 1.0) == 0.0);
  CHECK_FALSE(detectable_share(fixed_rule(4, {})));
  CHECK(refused_field([&] { (void)rule_power(sign, 1.5); }) == "share");
}

TEST_CASE("a t test of two pairs has no certain power however far its critical value is away") {
  // df 1, alpha .001: critical value 318.3, and s is often above its mean. scipy 1.17.1: nct.sf(t.ppf(.999, 1), 1,
  // 360).
  CHECK_THAT(t_power(2, 360.0 / std::sqrt(2.0), {.alpha = .001}), WithinAbs(.7419329, 1e-6));
  CHECK_THAT(t_power(2, 31.0 / std::sqrt(2.0)), WithinAbs(.99999876207, 1e-9));
}

TEST_CASE("power of the t tests is that of the noncentral t") {
  // R 4: power.t.test(n = 20, delta = 1, sd = 1) two-sided .8689528, one-sample n = 10 .8030962.
  CHECK_THAT(t_power(20, 1.0, {.pairing = Pairing::unpaired, .sides = Sides::two}), WithinAbs(.8689528, 1e-6));
  CHECK_THAT(t_power(10, 1.0, {.sides = Sides::two}), WithinAbs(.8030962, 1e-5));
  CHECK_THAT(t_power(7, 0.0), WithinAbs(.05, 1e-12));  // without an effect: the size
  CHECK(t_power(1'000, 10.0) == 1.0);
}

TEST_CASE("runs, effect and power invert each other") {
  for (const auto pairing : {Pairing::paired, Pairing::unpaired})
    for (const double effect : {.3, .5, 1.0, 2.5}) {
      const TDesign design{.pairing = pairing};
      const auto runs = t_runs(effect, design);
      CHECK(t_power(runs, effect, design) >= .95);
      CHECK((runs == 2 || t_power(runs - 1, effect, design) < .95));
      CHECK(detectable_effect(runs, design) <= effect);
      CHECK_THAT(t_power(runs, detectable_effect(runs, design), design), WithinAbs(.95, 1e-9));
    }
  CHECK(refused_field([] { (void)t_runs(1e-6); }) == "effect");
  CHECK(refused_field([] { (void)t_runs(0.0); }) == "effect");
  CHECK(refused_field([] { (void)t_power(1, 1.0); }) == "runs");
}

TEST_CASE("planning Welch's test agrees with the published tables") {
  // Colas, Sigaud and Oudeyer 2018: s 1341 and 990, difference 1382.
  const auto five = welch_plan(5, 1341, 990, 1382), ten = welch_plan(10, 1341, 990, 1382),
             twenty = welch_plan(20, 1341, 990, 1382);
  CHECK_THAT(five.df, WithinAbs(7.3616074169, 1e-9));
  CHECK_THAT(five.beta, WithinAbs(.5103051214, 1e-9));
  CHECK_THAT(ten.df, WithinAbs(16.5636166881, 1e-9));
  CHECK_THAT(ten.beta, WithinAbs(.1958220269, 1e-9));
  CHECK_THAT(twenty.df, WithinAbs(34.9676352304, 1e-9));
  CHECK_THAT(twenty.beta, WithinAbs(.0256424417, 1e-9));
  CHECK_THAT(twenty.beta_exact, WithinAbs(twenty.beta, .01));
}

TEST_CASE("searches and runs that share one search") {
  const auto plan = allocate_runs(100, 1e-4, 4e-4, .005);  // sqrt(100 * 4) = 20; (1e-4 + 2e-5) / 2.5e-5 = 4.8
  CHECK_THAT(plan.optimum, WithinAbs(20, 1e-9));
  CHECK(plan.runs_per_search == 20);
  CHECK_THAT(plan.searches_needed, WithinAbs(4.8, 1e-9));
  CHECK(plan.searches == 5);
  CHECK(plan.trainings == 600);
  CHECK_THAT(allocate_runs(200, 1, 1, .5).optimum, WithinAbs(14.14213562, 1e-8));
  const auto alike =
      allocate_runs(100, 0, 4e-4, .005);  // no variance between searches: two of them, 4e-4 / 5e-5 = 8 runs
  CHECK(std::isinf(alike.optimum));
  CHECK(alike.searches == 2);
  CHECK(alike.runs_per_search == 8);
}

}  // namespace retrial::tests::power_tests
