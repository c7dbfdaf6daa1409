// Advantages, losses and distributions against values of an independent program, closed forms and differences.
#include <cmath>

#include "tests/catch.hpp"
#include "workloads/rl/agents/advantages.hpp"
#include "workloads/rl/agents/losses.hpp"

namespace retrial::rl_losses_tests {

using namespace retrial::rl;

TEST_CASE("advantages, with an episode that ended on entering step 2") {
  const std::vector<double> rewards(4, 1), values{.5, .6, .7, .8};
  const bool ended[] = {false, true, false, false};
  const auto found = advantages(rewards, values, ended, .9, .99, .95);
  const std::vector<double> known{1.4702, .4, 2.1180855, 1.091};
  for (std::size_t t = 0; t < known.size(); ++t) CHECK_THAT(found[t], WithinRel(known[t], 1e-12));
}

TEST_CASE("how far a policy has moved") {
  const std::vector<double> log_ratios{.1, -.2, .05};
  const Movement found = movement(log_ratios, .2);
  CHECK_THAT(found.k1, WithinAbs(.0166666667, 1e-10));
  CHECK_THAT(found.k3, WithinAbs(.0083909225, 1e-10));
  CHECK(movement(std::vector<double>{.3, -.5, .05}, .2).clip_fraction == 2. / 3);
}

TEST_CASE("the clipped surrogate and the clipped value loss") {
  const double ratios[] = {.3, -.5, .05}, gains[] = {1, -1, 2};
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += clipped_surrogate(ratios[i], gains[i], .2).value;
  CHECK_THAT(sum / 3, WithinRel(-.8341807309173493, 1e-12));
  CHECK_THAT((clipped_value_loss(1, .5, .9, .2).value + clipped_value_loss(.6, .5, 1.2, .2).value) / 2,
             WithinRel(.1, 1e-12));
}

TEST_CASE("normalized advantages and explained variance") {
  const auto found = normalised(std::vector<double>{1, 2, 3, 4});
  CHECK_THAT(found[0], WithinAbs(-1.16189499, 1e-8));
  CHECK_THAT(found[2], WithinAbs(.38729833, 1e-8));
  CHECK(normalised(std::vector<double>{7}) == std::vector<double>{7});
  CHECK_THAT(*explained_variance(std::vector<double>{1, 2, 3}, std::vector<double>{1.1, 1.9, 3.2}),
             WithinAbs(.9766666667, 1e-10));
  CHECK(!explained_variance(std::vector<double>{1, 1}, std::vector<double>{1, 2}));
}

TEST_CASE("entropy and draws of choices") {
  const std::vector<float> logits{std::log(.5F), std::log(.25F), std::log(.25F)};
  const Categorical choices(logits);
  CHECK_THAT(choices.entropy(), WithinAbs(1.0397207708, 1e-7));  // of logits in float32
  CHECK(choices.chosen(0) == 0);
  CHECK(choices.chosen(.4999) == 0);
  CHECK(choices.chosen(.6) == 1);
  CHECK(choices.chosen(.9999999) == 2);
}

TEST_CASE("a squashed normal is finite for every u") {
  const auto log_probability = [](double u) { return log_density(u, 0) - log_squash(u); };
  CHECK_THAT(log_probability(.5), WithinRel(-.8037095192881175, 1e-12));
  CHECK_THAT(log_probability(12), WithinRel(-50.30523289424906, 1e-12));
  CHECK(std::isfinite(log_probability(50)));
  CHECK(std::isfinite(log_probability(-50)));
  CHECK_THAT(log_squash(-3), WithinRel(log_squash(3), 1e-12));
}

/// The slope by a symmetric difference.
template <typename F>
double slope(F of, double at) {
  constexpr double h = 1e-6;
  return (of(at + h) - of(at - h)) / (2 * h);
}

TEST_CASE("slopes are those of the values") {
  for (const double advantage : {1.5, -.7})
    for (const double log_ratio : {-.4, -.05, .1, .5}) {
      const auto of = [&](double x) { return clipped_surrogate(x, advantage, .2).value; };
      CHECK_THAT(clipped_surrogate(log_ratio, advantage, .2).slope, WithinAbs(slope(of, log_ratio), 1e-6));
    }
  for (const double value : {.2, .55, 1.3}) {
    const auto of = [](double x) { return clipped_value_loss(x, .5, .9, .2).value; };
    CHECK_THAT(clipped_value_loss(value, .5, .9, .2).slope, WithinAbs(slope(of, value), 1e-6));
    CHECK_THAT(huber_loss(value).slope, WithinAbs(slope([](double x) { return huber_loss(x).value; }, value), 1e-6));
  }
  const std::vector<float> logits{.3F, -1, .8F};
  std::vector<float> gradient(3);
  Categorical(logits).add_gradient(1, 2, -.5, gradient);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto of = [&](double x) {
      auto moved = logits;
      moved[i] = static_cast<float>(x);
      const Categorical choices(moved);
      return 2 * choices.log_probability(1) - .5 * choices.entropy();
    };
    constexpr double h = 1e-2;  // logits are float32
    CHECK_THAT(
        gradient[i],
        WithinAbs((of(static_cast<double>(logits[i]) + h) - of(static_cast<double>(logits[i]) - h)) / (2 * h), 2e-4));
  }
}

TEST_CASE("the largest number, NaN last") {
  const float nan = NAN;
  CHECK(best_place(std::vector<float>{1, 3, 3}) == 1);
  CHECK(best_place(std::vector<float>{nan, -5, nan}) == 1);
  CHECK(best_place(std::vector<float>{nan, nan}) == 0);
}

}  // namespace retrial::rl_losses_tests
