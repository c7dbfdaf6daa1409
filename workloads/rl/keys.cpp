#include "workloads/rl/keys.hpp"

#include <algorithm>
#include <limits>

#include "workloads/rl/policies/reference.hpp"
#include "workloads/rl/settings/settings.hpp"

namespace retrial::rl {
namespace {

using workloads::Parameter, workloads::Range, workloads::Reads;
using Choices = std::vector<std::string>;

constexpr double infinite = std::numeric_limits<double>::infinity(), any_count = 1e12;

std::string word(const char* text) {
  return text;
}

/// A number whose default is that of the settings.
Parameter count_of_settings(const char* name, const char* meaning, double high, Reads reads = Reads::training) {
  return {name, std::int64_t{-1}, std::string(meaning) + "; -1: as the settings say", Range{-1, high}, reads};
}
Parameter number_of_settings(const char* name, const char* meaning, double high) {
  return {name, -1.0, std::string(meaning) + "; -1: as the settings say", Range{-1, high, false, high == infinite}};
}

std::vector<std::string> environment_names() {
  std::vector<std::string> names;
  for (const auto& environment : rlenv::environments()) names.push_back(environment.name);
  return names;
}

Choices algorithm_names() {
  Choices names{"policy"};
  names.insert(names.end(), algorithms().begin(), algorithms().end());
  return names;
}

}  // namespace

std::vector<Parameter> parameters() {
  const Choices switches{"settings", "on", "off"};
  return {{"env", word("cartpole"), "the environment (retrial list environments)", environment_names()},
          {"algorithm", word("policy"), "policy: one written by hand; else what is trained", algorithm_names()},
          {"policy", word("random"), "algorithm = policy: its name", policy_names()},
          {"settings", word("sb3"), "whose hyper-parameters: Stable-Baselines3, CleanRL, rl-baselines3-zoo, RL-Scope",
           settings_names()},
          count_of_settings("steps", "environment steps of training", any_count, Reads::schedule),
          number_of_settings("lr", "learning rate", 1e3),
          {"lr_linear", word("settings"), "the learning rate falls linearly to 0", switches},
          number_of_settings("gamma", "discount", 1),
          count_of_settings("batch", "rows of a minibatch", 1e7),
          {"hidden", word(""), "hidden layers, such as 64,64; empty: as the settings say", {}},
          {"normalise", word("settings"), "running normalization of observations and rewards",
           Choices{"settings", "none", "obs", "obs+reward"}},
          {"truncation", word("bootstrap"), "as_done: an episode cut by the time limit counts as one that ended",
           Choices{"bootstrap", "as_done"}},
          count_of_settings("envs", "ppo, a2c: environments", 65536),
          count_of_settings("rollout", "ppo, a2c: steps of each environment between updates", 1e7),
          count_of_settings("epochs", "ppo: passes over a rollout", 1e4),
          number_of_settings("gae_lambda", "ppo, a2c: decay of generalized advantage estimation", 1),
          number_of_settings("clip", "ppo: bound of the probability ratio's distance from 1", 1e3),
          {"clip_value", word("settings"), "ppo: also bound the change of values", switches},
          number_of_settings("entropy_weight", "weight of the entropy; of sac a fixed temperature, 0: tuned", 1e3),
          number_of_settings("value_weight", "ppo, a2c: weight of the value loss", 1e3),
          number_of_settings("max_norm", "ppo, a2c, dqn: bound of the gradient's norm; 0: none", 1e9),
          count_of_settings("buffer", "dqn, ddpg, td3, sac: transitions kept", 1e8),
          count_of_settings("learning_starts", "dqn, ddpg, td3, sac: steps before the first update", any_count),
          count_of_settings("train_every", "dqn, ddpg, td3, sac: steps between updates", 1e7),
          count_of_settings("gradient_steps", "dqn, ddpg, td3, sac: gradient steps of an update", 1e6),
          number_of_settings("tau", "share of the trained network in each move of the target", 1),
          count_of_settings("target_every", "dqn: steps between moves of the target", any_count),
          number_of_settings("epsilon_start", "dqn: share of random actions at first", 1),
          number_of_settings("epsilon_end", "dqn: share of random actions at last", 1),
          number_of_settings("epsilon_share", "dqn: part of the steps over which it falls", 1),
          number_of_settings("noise_sd", "ddpg, td3: deviation of the exploration noise, in bounds of the action", 1e3),
          count_of_settings("policy_delay", "ddpg, td3, sac: updates of the critic for each of the policy", 1e6),
          number_of_settings("target_noise", "td3: deviation of the noise on target actions", 1e3),
          number_of_settings("target_clip", "td3: bound of that noise", 1e3),
          {"numpy_promotion", std::int64_t{2}, "mountaincar-continuous: arithmetic of NumPy 1 or 2 with float32",
           Range{1, 2}},
          {"sim_cost", std::int64_t{0}, "multiply-adds added to every step of the simulator; changes time and no bit",
           Range{0, any_count}, Reads::evaluation},
          {"eval_every", std::int64_t{0}, "steps between evaluations during training; 0: only at the end",
           Range{0, any_count}, Reads::evaluation},
          {"eval_episodes", std::int64_t{100}, "episodes of an evaluation, from fixed starts", Range{1, 100},
           Reads::evaluation},
          {.name = "adam_host",
           .fallback = false,
           .meaning = "on a GPU: gradients are copied to the host one by one, and weights are moved there",
           .allowed = {},
           .reads = Reads::evaluation,
           .written_at_default = false}};
}

bool is_reference(const Values& values) {
  return text_in(values, "algorithm") == "policy";
}

std::vector<std::string> reads(const Values& values) {
  std::vector<std::string> keys{"env", "algorithm", "sim_cost", "eval_episodes"};
  const auto add = [&](std::initializer_list<const char*> more) { keys.insert(keys.end(), more.begin(), more.end()); };
  if (text_in(values, "env") == "mountaincar-continuous") add({"numpy_promotion"});
  if (is_reference(values)) {
    add({"policy"});
    return keys;
  }
  const std::string& algorithm = text_in(values, "algorithm");
  add({"settings", "steps", "lr", "lr_linear", "gamma", "hidden", "normalise", "truncation", "eval_every",
       "adam_host"});
  if (on_policy(algorithm)) {
    add({"envs", "rollout", "gae_lambda", "entropy_weight", "value_weight", "max_norm"});
    if (algorithm == "ppo") add({"batch", "epochs", "clip", "clip_value"});
    return keys;
  }
  add({"batch", "buffer", "learning_starts", "train_every", "gradient_steps", "tau"});
  if (algorithm == "dqn")
    add({"target_every", "epsilon_start", "epsilon_end", "epsilon_share", "max_norm"});
  else
    add({"policy_delay"});
  if (algorithm == "ddpg" || algorithm == "td3") add({"noise_sd"});
  if (algorithm == "td3") add({"target_noise", "target_clip"});
  if (algorithm == "sac") add({"entropy_weight"});
  return keys;
}

std::vector<std::string> honours(const Values& values) {
  if (!is_reference(values)) {
    if (text_in(values, "algorithm") == "a2c") return {"init", "environment", "policy"};
    return {"init", "environment", "policy", "data-order"};
  }
  for (const ReferencePolicy& policy : reference_policies(text_in(values, "env")))
    if (policy.name == text_in(values, "policy") && policy.draws) return {"policy"};
  return {};
}

}  // namespace retrial::rl
