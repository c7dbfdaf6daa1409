#include "workloads/rl/settings/settings.hpp"

#include <stdexcept>

#include "workloads/interface/trial/split.hpp"

namespace retrial::rl::inline settings {
namespace {

constexpr std::int64_t widest = 65536;

void set(std::int64_t& setting, const Values& values, const char* key) {
  if (const std::int64_t given = integer_in(values, key); given != -1) setting = given;
}
void set(double& setting, const Values& values, const char* key) {
  if (const double given = number_in(values, key); given != -1) setting = given;
}
void set(bool& setting, const Values& values, const char* key) {
  if (const std::string& given = text_in(values, key); given != "settings") setting = given == "on";
}

}  // namespace

std::optional<std::vector<std::int64_t>> parsed_layers(const std::string& text) {
  std::vector<std::int64_t> layers;
  for (const std::string& part : workloads::split(text, ',', " ")) {
    if (part.empty() || part.size() > 5 || part.find_first_not_of("0123456789") != std::string::npos) return {};
    const std::int64_t width = std::stoll(part);
    if (width < 1 || width > widest) return {};
    layers.push_back(width);
  }
  return layers;
}

rlenv::Options options_from(const Values& values) {
  return {.numpy_promotion = integer_in(values, "numpy_promotion"), .sim_cost = integer_in(values, "sim_cost")};
}

Settings settings_from(const Values& values) {
  auto cell = published_settings(text_in(values, "settings"), text_in(values, "algorithm"), text_in(values, "env"));
  if (!cell) throw std::logic_error("the keys of a trial name an empty cell of the settings");
  Settings s = *cell;
  set(s.steps, values, "steps");
  set(s.lr, values, "lr");
  set(s.lr_linear, values, "lr_linear");
  set(s.gamma, values, "gamma");
  set(s.batch, values, "batch");
  if (const auto layers = parsed_layers(text_in(values, "hidden"))) s.hidden = *layers;
  if (text_in(values, "normalise") != "settings") s.normalise = text_in(values, "normalise");
  set(s.envs, values, "envs");
  set(s.rollout, values, "rollout");
  set(s.epochs, values, "epochs");
  set(s.gae_lambda, values, "gae_lambda");
  set(s.clip, values, "clip");
  set(s.clip_value, values, "clip_value");
  set(s.entropy_weight, values, "entropy_weight");
  set(s.value_weight, values, "value_weight");
  set(s.max_norm, values, "max_norm");
  set(s.buffer, values, "buffer");
  set(s.learning_starts, values, "learning_starts");
  set(s.train_every, values, "train_every");
  set(s.gradient_steps, values, "gradient_steps");
  set(s.tau, values, "tau");
  set(s.target_every, values, "target_every");
  set(s.epsilon_start, values, "epsilon_start");
  set(s.epsilon_end, values, "epsilon_end");
  set(s.epsilon_share, values, "epsilon_share");
  set(s.noise_sd, values, "noise_sd");
  set(s.policy_delay, values, "policy_delay");
  set(s.target_noise, values, "target_noise");
  set(s.target_clip, values, "target_clip");
  return s;
}

}  // namespace retrial::rl::inline settings
