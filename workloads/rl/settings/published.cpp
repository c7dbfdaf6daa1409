#include <algorithm>

#include "workloads/rl/env/environment.hpp"
#include "workloads/rl/settings/settings.hpp"

namespace retrial::rl::inline settings {
namespace {

using Cell = std::optional<Settings>;

Settings sb3_base(const std::string& algorithm) {
  Settings s;
  if (algorithm == "a2c") s.lr = 7e-4, s.rollout = 5, s.epochs = 1, s.gae_lambda = 1;
  if (algorithm == "dqn")
    s.lr = 1e-4, s.batch = 32, s.tau = 1, s.train_every = 4, s.target_every = 10'000, s.max_norm = 10, s.relu = true;
  if (algorithm == "ddpg" || algorithm == "td3") s.lr = 1e-3, s.hidden = {400, 300};
  if (algorithm == "td3") s.policy_delay = 2, s.target_noise = .2;
  if (algorithm == "sac") s.hidden = {256, 256};
  if (!on_policy(algorithm) && algorithm != "dqn") s.batch = 256, s.relu = true, s.steps = 20'000;
  if (!on_policy(algorithm)) s.orthogonal = false;
  return s;
}

Cell cleanrl(const std::string& algorithm, bool discrete) {
  Settings s = sb3_base(algorithm);
  s.steps = discrete ? 500'000 : 1'000'000;
  if (algorithm == "a2c") return {};
  if (algorithm == "ppo") {
    s.lr_linear = s.clip_value = true;
    if (discrete)
      s.lr = 2.5e-4, s.envs = 4, s.rollout = 128, s.batch = 128, s.epochs = 4, s.entropy_weight = .01;
    else
      s.normalise = "obs+reward";
  } else if (algorithm == "dqn") {
    s.lr = 2.5e-4, s.buffer = s.learning_starts = 10'000, s.batch = 128, s.train_every = 10, s.target_every = 500;
    s.epsilon_share = .5, s.huber = false, s.hidden = {120, 84}, s.max_norm = 0;
  } else {
    s.lr = 3e-4, s.hidden = {256, 256}, s.policy_delay = 2;
    if (algorithm == "sac")
      s.critic_lr = 1e-3, s.learning_starts = 5'000;
    else
      s.noise_sd = .1, s.learning_starts = 25'000;
  }
  return s;
}

Settings normalised(Settings s) {
  s.normalise = "obs+reward";
  return s;
}

Cell zoo_ppo(const std::string& environment, Settings s) {
  if (environment == "cartpole") {
    s.envs = 8, s.rollout = 32, s.batch = 256, s.gae_lambda = .8, s.gamma = .98, s.epochs = 20, s.lr = 1e-3;
    s.lr_linear = s.clip_linear = true;
    return s;
  }
  if (environment == "pendulum") {
    s.envs = 4, s.rollout = 1024, s.gamma = .9, s.lr = 1e-3;
    return s;
  }
  s = normalised(s);
  s.envs = 16, s.epochs = 4, s.steps = 1'000'000;
  if (environment == "acrobot") s.rollout = 256, s.gae_lambda = .94;
  if (environment == "mountaincar") s.rollout = 16, s.gae_lambda = .98;
  if (environment == "mountaincar-continuous") {
    s.envs = 1, s.rollout = s.batch = 8, s.gamma = .9999, s.lr = 7.77e-5, s.entropy_weight = .00429, s.clip = .1;
    s.gae_lambda = .9, s.epochs = 10, s.max_norm = 5, s.value_weight = .19, s.log_sd = -3.29, s.steps = 20'000;
  }
  return s;
}

Cell zoo_a2c(const std::string& environment, Settings s) {
  s.steps = 500'000;
  if (environment == "cartpole") {
    s.envs = 8;
    return s;
  }
  s = normalised(s);
  s.envs = 16;
  if (environment == "mountaincar") s.steps = 1'000'000;
  if (environment == "pendulum") {
    s.envs = 8, s.rollout = 8, s.gamma = s.gae_lambda = .9, s.value_weight = .4, s.lr_linear = true, s.log_sd = -2;
    s.steps = 1'000'000;
  }
  if (environment == "mountaincar-continuous") s.envs = 4, s.rollout = 100, s.steps = 100'000;
  return s;
}

Cell zoo_dqn(const std::string& environment, Settings s) {
  s.hidden = {256, 256}, s.batch = 128;
  if (environment == "cartpole") {
    s.lr = 2.3e-3, s.batch = 64, s.buffer = 100'000, s.learning_starts = 1'000, s.target_every = 10;
    s.train_every = 256, s.gradient_steps = 128, s.epsilon_share = .16, s.epsilon_end = .04, s.steps = 50'000;
  } else if (environment == "acrobot") {
    s.lr = 6.3e-4, s.buffer = 50'000, s.learning_starts = 0, s.target_every = 250, s.gradient_steps = 4;
    s.epsilon_share = .12, s.epsilon_end = .1;
  } else {
    s.lr = 4e-3, s.buffer = 10'000, s.learning_starts = 1'000, s.gamma = .98, s.target_every = 600;
    s.train_every = 16, s.gradient_steps = 8, s.epsilon_share = .2, s.epsilon_end = .07, s.steps = 120'000;
  }
  return s;
}

Cell zoo(const std::string& algorithm, const std::string& environment) {
  Settings s = sb3_base(algorithm);
  if (algorithm == "ppo") return zoo_ppo(environment, s);
  if (algorithm == "a2c") return zoo_a2c(environment, s);
  if (algorithm == "dqn") return zoo_dqn(environment, s);
  if (algorithm == "sac") {
    s.lr = 1e-3;
    if (environment == "mountaincar-continuous") {
      s.lr = 3e-4, s.buffer = 50'000, s.batch = 512, s.entropy_weight = .1, s.train_every = s.gradient_steps = 32;
      s.gamma = .9999, s.tau = .01, s.log_sd = -3.67, s.hidden = {64, 64}, s.steps = 50'000;
    }
    return s;
  }
  if (environment != "pendulum") return {};  // explores by an Ornstein-Uhlenbeck process, which is not built
  s.gamma = .98, s.buffer = 200'000, s.learning_starts = 10'000, s.noise_sd = .1;
  return s;
}

/// Of the simulator MuJoCo; the settings were written for the same tasks on another simulator, Bullet.
Cell rlscope_mujoco(const std::string& algorithm, const std::string& environment, Settings s) {
  s.steps = 2'000'000;
  if (algorithm == "a2c") {
    s = normalised(s);
    s.envs = 4, s.rollout = 32, s.lr = 2e-3, s.lr_linear = true;
    return s;
  }
  if (algorithm == "ddpg" && environment == "halfcheetah") {
    s.gamma = .95, s.noise_sd = .22;
    return s;
  }
  if (algorithm == "sac" && environment != "walker2d") {
    s.lr = 3e-3, s.batch = 64, s.learning_starts = 10'000, s.entropy_weight = environment == "hopper" ? .1 : .01;
    return s;
  }
  return {};
}

/// The settings of RL-Scope for the environments that are built; DDPG on walker2d has layer normalization, which is
/// not.
Cell rlscope(const std::string& algorithm, const std::string& environment, bool mujoco) {
  Settings s = sb3_base(algorithm);
  if (mujoco) return rlscope_mujoco(algorithm, environment, s);
  if (algorithm != "ppo") return {};
  s.envs = 8, s.batch = 8 * 2048 / 32;
  if (environment == "cartpole" || environment == "pendulum") return s;
  s = normalised(s);
  s.envs = 16, s.rollout = 256, s.batch = 16 * 256 / 8, s.epochs = 4, s.gae_lambda = .94;
  return s;
}

}  // namespace

const std::vector<std::string>& algorithms() {
  static const std::vector<std::string> names{"ppo", "a2c", "dqn", "ddpg", "td3", "sac"};
  return names;
}

const std::vector<std::string>& settings_names() {
  static const std::vector<std::string> names{"sb3", "cleanrl", "zoo", "rlscope"};
  return names;
}

bool on_policy(const std::string& algorithm) {
  return algorithm == "ppo" || algorithm == "a2c";
}

bool fits(const std::string& algorithm, bool discrete) {
  return on_policy(algorithm) || discrete == (algorithm == "dqn");
}

Cell published_settings(const std::string& column, const std::string& algorithm, const std::string& environment) {
  const auto* known = rlenv::environment_if_known(environment);
  if (known == nullptr || !fits(algorithm, known->actions.discrete)) return {};
  const bool mujoco = !known->needs.empty();
  if (column == "cleanrl") return cleanrl(algorithm, known->actions.discrete);
  if (column == "zoo") return mujoco ? Cell{} : zoo(algorithm, environment);
  if (column == "rlscope") return rlscope(algorithm, environment, mujoco);
  Settings s = sb3_base(algorithm);
  // The program has no number of steps of its own: that of its tuned settings.
  if (const Cell tuned = published_settings("zoo", algorithm, environment)) s.steps = tuned->steps;
  return s;
}

std::vector<std::string> columns_with(const std::string& algorithm, const std::string& environment) {
  std::vector<std::string> columns;
  for (const std::string& column : settings_names())
    if (published_settings(column, algorithm, environment)) columns.push_back(column);
  return columns;
}

}  // namespace retrial::rl::inline settings
