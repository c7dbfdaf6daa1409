// Environments stepped together against environments stepped one by one.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "tests/catch.hpp"
#include "workloads/rl/env/normaliser.hpp"
#include "workloads/rl/env/vector_environment.hpp"

namespace retrial::rl_vector_environment_tests {

using namespace retrial::rlenv;

constexpr Options short_episodes{.limit = 3};

TEST_CASE("next_step: the step after the end resets, ignores the action and has no reward") {
  VectorEnvironment together("mountaincar", short_episodes, 2);
  together.reset(5);
  const auto alone = make("mountaincar", short_episodes);
  alone->reset(6);
  const std::vector<double> actions{1, 2};
  for (int t = 0; t < 3; ++t) {
    together.step(actions);
    const Step step = alone->step(2.0);
    CHECK(together.steps()[1].reward == step.reward);
    CHECK(together.steps()[1].truncated == (t == 2));
  }
  CHECK(together.observations()[2] == alone->observation()[0]);
  together.step(actions);
  alone->reset();
  CHECK(together.steps()[1].reward == 0);
  CHECK(!together.steps()[1].ends());
  CHECK(together.observations()[2] == alone->observation()[0]);
  together.step(actions);
  CHECK(together.steps()[1].reward == alone->step(2.0).reward);
}

TEST_CASE("same_step: the first observation of the next episode, and the last one beside it") {
  VectorEnvironment together("mountaincar", short_episodes, 2, Autoreset::same_step);
  together.reset(5);
  const auto alone = make("mountaincar", short_episodes);
  alone->reset(6);
  const std::vector<double> actions{1, 2};
  for (int t = 0; t < 3; ++t) together.step(actions), alone->step(2.0);
  CHECK(together.steps()[1].truncated);
  CHECK(together.steps()[1].reward == -1);
  CHECK(together.final_observations()[2] == alone->observation()[0]);
  alone->reset();
  CHECK(together.observations()[2] == alone->observation()[0]);
  together.step(actions);
  CHECK(together.steps()[1].reward == -1);
}

TEST_CASE("neither threads nor the place among others change a bit") {
  const auto observed = [](std::size_t threads, std::size_t count, Autoreset autoreset) {
    VectorEnvironment together("cartpole", {}, count, autoreset, threads);
    together.reset(100);
    std::vector<float> all;
    for (int t = 0; t < 60; ++t) {
      std::vector<double> actions(count);
      for (std::size_t i = 0; i < count; ++i) actions[i] = static_cast<double>((i + static_cast<std::size_t>(t)) % 2);
      together.step(actions);
      all.insert(all.end(), together.observations().begin(), together.observations().begin() + 4 * 3);
    }
    return all;
  };
  for (const Autoreset autoreset : {Autoreset::next_step, Autoreset::same_step}) {
    const auto one = observed(1, 8, autoreset);
    CHECK(observed(2, 8, autoreset) == one);
    CHECK(observed(8, 8, autoreset) == one);
    CHECK(observed(1, 3, autoreset) == one);
  }
}

TEST_CASE("the seed of environment i wraps around") {
  VectorEnvironment together("cartpole", {}, 2);
  together.reset(~std::uint64_t{0});
  const auto alone = make("cartpole");
  alone->reset(0);
  CHECK(together.observations()[4] == alone->observation()[0]);
}

TEST_CASE("environments that were saved go on, whether an episode has just ended or not") {
  for (const Autoreset autoreset : {Autoreset::next_step, Autoreset::same_step})
    for (int before = 0; before < 5; ++before) {
      VectorEnvironment one("pendulum", short_episodes, 2, autoreset), other("pendulum", short_episodes, 2, autoreset);
      one.reset(3);
      const std::vector<double> actions{1, -1};
      for (int t = 0; t < before; ++t) one.step(actions);
      std::stringstream bytes;
      nn::StateWriter to(bytes);
      one.save(to);
      nn::StateReader from(bytes);
      other.load(from);
      CHECK(std::ranges::equal(one.observations(), other.observations()));
      for (int t = 0; t < 8; ++t) {
        one.step(actions), other.step(actions);
        CHECK(std::ranges::equal(one.observations(), other.observations()));
        CHECK(one.steps()[0].reward == other.steps()[0].reward);
      }
    }
}

// Mean 2, variance 2/3 of the population: by hand.
TEST_CASE("observations are normalized by what was seen, and applying moves nothing") {
  ObservationNormaliser normaliser(1);
  normaliser.learn(std::vector<float>{1, 2, 3});
  std::vector<float> row{3};
  normaliser.apply(row);
  CHECK_THAT(row[0], WithinRel(1.2247448F, 1e-5F));
  std::vector<float> far{1000, 3};
  normaliser.apply(far);
  CHECK(far[0] == 10);
  CHECK(far[1] == row[0]);
}

// Discounted sums 1, 1.5, 1.75: variance 0.09722 of the population.
TEST_CASE("rewards are divided by the deviation of the discounted return, which ends with the episode") {
  RewardScaler scaler(1, .5);
  (void)scaler.scaled(0, {.reward = 1});
  (void)scaler.scaled(0, {.reward = 1});
  CHECK_THAT(scaler.scaled(0, {.reward = 1, .terminated = true}), WithinRel(1 / std::sqrt(.0972222222 + 1e-8), 1e-6));
  RewardScaler fresh(1, .5);
  for (int i = 0; i < 3; ++i) (void)fresh.scaled(0, {.reward = 1, .truncated = true});
  CHECK(fresh.scaled(0, {.reward = 1}) == 10);  // every return was 1: no deviation
}

}  // namespace retrial::rl_vector_environment_tests
