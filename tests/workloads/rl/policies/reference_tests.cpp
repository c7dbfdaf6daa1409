// Returns of the policies written by hand, as an independent implementation of the same environments measured them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "workloads/rl/policies/evaluation.hpp"

namespace retrial::rl_reference_tests {

using namespace retrial::rl;

double sum_over_starts(const std::string& environment, const std::string& policy) {
  const Scores scores = evaluated(environment, {}, all_starts, acts_by(reference_policy(environment, policy), 0));
  double sum = 0;
  for (const double value : scores.returns) sum += value;
  return sum;
}

TEST_CASE("sums of the deterministic policies over the fixed starts") {
  CHECK(sum_over_starts("cartpole", "constant") == 926);
  CHECK(sum_over_starts("mountaincar", "bang") == -12002);
  CHECK_THAT(sum_over_starts("pendulum", "zero"), WithinAbs(-118029.04022384032, 1e-9));
  CHECK_THAT(sum_over_starts("pendulum", "swing_up"), WithinAbs(-14481.04436780476, 1e-9));
}

/// Returns of episodes from reset seeds far from the fixed starts, each with draws of its own.
void check_mean(const std::string& environment, const std::string& policy, double mean, double sd, std::uint64_t n) {
  const ReferencePolicy known = reference_policy(environment, policy);
  const auto episode = rlenv::make(environment);
  double sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    episode->reset(1'000'000 + i);
    for (rlenv::Step step; !step.ends(); sum += step.reward) {
      double action = 0;
      act_by(known, episode->state(), 17, static_cast<std::uint64_t>(episode->elapsed()), i, {&action, 1});
      step = episode->step(action);
    }
  }
  INFO(environment << ' ' << policy);
  CHECK(std::fabs(sum / static_cast<double>(n) - mean) < 4 * sd / std::sqrt(static_cast<double>(n)));
}

TEST_CASE("means of the policies") {
  check_mean("cartpole", "random", 22.21, 11.84, 4000);
  check_mean("cartpole", "constant", 9.35, .75, 1000);
  check_mean("acrobot", "elbow", -90.7, 41.9, 400);
  check_mean("acrobot", "random", -498.8, 12.0, 100);
  check_mean("mountaincar", "random", -200, 1e-9, 200);
  check_mean("mountaincar", "bang", -119.42, 3.69, 1000);
  check_mean("mountaincar-continuous", "random", -33.12, 4.27, 300);
  check_mean("pendulum", "random", -1228.4, 288.9, 1000);
  check_mean("pendulum", "zero", -1220.1, 355.3, 1000);
  check_mean("pendulum", "swing_up", -148.18, 91.7, 2000);
}

TEST_CASE("an evaluation draws nothing of its own, and one more episode changes no other") {
  const auto policy = reference_policy("cartpole", "random");
  const Scores few = evaluated("cartpole", {}, 10, acts_by(policy, 4)),
               many = evaluated("cartpole", {}, 20, acts_by(policy, 4));
  CHECK(std::equal(few.returns.begin(), few.returns.end(), many.returns.begin()));
  CHECK(few.first_actions == many.first_actions);
  CHECK(evaluated("cartpole", {}, 10, acts_by(policy, 5)).returns != few.returns);
}

TEST_CASE("an action that is not finite ends its episode without a score") {
  const Scores scores = evaluated("pendulum", {}, 3, [](Environments, std::uint64_t t, std::span<double> actions) {
    actions[0] = actions[2] = 0;
    actions[1] = t < 5 ? 0 : std::numeric_limits<double>::quiet_NaN();
  });
  CHECK(std::isnan(scores.returns[1]));
  CHECK(scores.lengths[1] == 5);
  CHECK(scores.lengths[2] == 200);
}

TEST_CASE("a policy of another environment is refused with those there are") {
  CHECK_THROWS_WITH(reference_policy("cartpole", "swing_up"), has_text("random, constant, angle, angle_rate"));
}

}  // namespace retrial::rl_reference_tests
