// Cells of the published settings against their sources: Stable-Baselines3 2.8, CleanRL, rl-baselines3-zoo, RL-Scope.
#include "tests/catch.hpp"
#include "workloads/rl/settings/settings.hpp"

namespace retrial::rl_settings_tests {

using namespace retrial::rl;
using Names = std::vector<std::string>;
using Layers = std::vector<std::int64_t>;

TEST_CASE("cells of the published settings") {
  const auto ppo = published_settings("sb3", "ppo", "pendulum");
  REQUIRE(ppo);
  CHECK(ppo->lr == 3e-4);
  CHECK(ppo->rollout == 2048);
  CHECK(ppo->batch == 64);
  CHECK(ppo->epochs == 10);
  CHECK(!ppo->clip_value);
  CHECK(ppo->hidden == Layers{64, 64});
  CHECK(!ppo->relu);
  const auto clean = published_settings("cleanrl", "ppo", "cartpole");
  CHECK(clean->clip_value);
  CHECK(clean->lr_linear);
  CHECK(clean->envs * clean->rollout / clean->batch == 4);
  CHECK(clean->entropy_weight == .01);
  CHECK(published_settings("cleanrl", "ppo", "pendulum")->entropy_weight == 0);
  const auto zoo = published_settings("zoo", "dqn", "cartpole");
  CHECK(zoo->train_every == 256);
  CHECK(zoo->gradient_steps == 128);
  CHECK(zoo->steps == 50'000);
  CHECK(zoo->hidden == Layers{256, 256});
  CHECK(published_settings("zoo", "sac", "pendulum")->lr == 1e-3);
  CHECK(published_settings("sb3", "td3", "pendulum")->policy_delay == 2);
  CHECK(published_settings("sb3", "ddpg", "pendulum")->hidden == Layers{400, 300});
  CHECK(published_settings("rlscope", "ppo", "acrobot")->batch == 512);
  CHECK(published_settings("zoo", "ppo", "mountaincar-continuous")->max_norm == 5);
}

TEST_CASE("empty cells, and the columns that are left") {
  CHECK(!published_settings("cleanrl", "a2c", "cartpole"));
  CHECK(!published_settings("zoo", "td3", "mountaincar-continuous"));
  CHECK(!published_settings("sb3", "dqn", "pendulum"));
  CHECK(!published_settings("sb3", "sac", "cartpole"));
  CHECK(columns_with("a2c", "cartpole") == Names{"sb3", "zoo"});
  CHECK(columns_with("ddpg", "mountaincar-continuous") == Names{"sb3", "cleanrl"});
  CHECK(columns_with("ppo", "cartpole") == settings_names());
  CHECK(columns_with("a2c", "walker2d") == Names{"sb3", "rlscope"});
  CHECK(columns_with("ddpg", "walker2d") == Names{"sb3", "cleanrl"});
  CHECK(columns_with("sac", "hopper") == Names{"sb3", "cleanrl", "rlscope"});
}

TEST_CASE("every cell can be trained") {
  for (const auto& environment : rlenv::environments())
    for (const auto& algorithm : algorithms())
      for (const auto& column : columns_with(algorithm, environment.name)) {
        INFO(column << ' ' << algorithm << ' ' << environment.name);
        const auto cell = published_settings(column, algorithm, environment.name);
        if (algorithm == "ppo") CHECK(cell->envs * cell->rollout % cell->batch == 0);
        if (!on_policy(algorithm)) CHECK(cell->buffer >= cell->batch);
        CHECK(cell->steps > cell->learning_starts);
      }
}

TEST_CASE("layers as text") {
  CHECK(parsed_layers("64,64") == Layers{64, 64});
  CHECK(parsed_layers(" 400, 300") == Layers{400, 300});
  for (const char* wrong : {"", "64,", "0", "-3", "64;64", "99999999999", "6x"}) CHECK(!parsed_layers(wrong));
}

}  // namespace retrial::rl_settings_tests
