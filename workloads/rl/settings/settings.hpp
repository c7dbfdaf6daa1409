#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/text/value.hpp"
#include "workloads/rl/env/environment.hpp"

/// Hyper-parameters of the algorithms as published programs have them.
namespace retrial::rl::inline settings {

/// Everything that an algorithm reads; of the others' numbers it has the defaults.
struct Settings {
  std::int64_t steps = 100'000;
  double lr = 3e-4, critic_lr = 0;  ///< critic_lr 0: the same
  bool lr_linear = false;           ///< falls to 0 over the steps
  double gamma = .99;
  std::int64_t batch = 64;
  std::vector<std::int64_t> hidden{64, 64};
  bool relu = false, orthogonal = true;
  std::string normalise = "none";  ///< none, obs, obs+reward

  std::int64_t envs = 1, rollout = 2048, epochs = 10;
  double gae_lambda = .95, clip = .2;
  bool clip_linear = false, clip_value = false;
  double entropy_weight = 0, value_weight = .5, max_norm = .5, log_sd = 0;

  std::int64_t buffer = 1'000'000, learning_starts = 100, train_every = 1, gradient_steps = 1;
  double tau = .005;
  std::int64_t target_every = 1;
  double epsilon_start = 1, epsilon_end = .05, epsilon_share = .1;
  bool huber = true;
  double noise_sd = 0;
  std::int64_t policy_delay = 1;
  double target_noise = 0, target_clip = .5;
};

[[nodiscard]] const std::vector<std::string>& algorithms();      ///< ppo, a2c, dqn, ddpg, td3, sac
[[nodiscard]] const std::vector<std::string>& settings_names();  ///< sb3, cleanrl, zoo, rlscope
[[nodiscard]] bool on_policy(const std::string& algorithm);
/// Whether the algorithm has actions of this kind.
[[nodiscard]] bool fits(const std::string& algorithm, bool discrete);

/// The cell (algorithm, environment) of a column of published settings; nothing where it is empty.
[[nodiscard]] std::optional<Settings> published_settings(const std::string& column, const std::string& algorithm,
                                                         const std::string& environment);
/// Names of the columns with this cell, and of the environments whose cell a column has.
[[nodiscard]] std::vector<std::string> columns_with(const std::string& algorithm, const std::string& environment);

/// The cell that the keys name, and the keys that are set in its place.
[[nodiscard]] Settings settings_from(const Values& values);
/// The options of the environment that the keys name.
[[nodiscard]] rlenv::Options options_from(const Values& values);
/// "64,64"; nothing for a text that is no list of layers.
[[nodiscard]] std::optional<std::vector<std::int64_t>> parsed_layers(const std::string& text);

}  // namespace retrial::rl::inline settings
