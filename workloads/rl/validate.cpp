#include <algorithm>

#include "results/text/text.hpp"
#include "workloads/rl/keys.hpp"
#include "workloads/rl/policies/reference.hpp"
#include "workloads/rl/settings/settings.hpp"

namespace retrial::rl {
namespace {

using Problems = std::vector<workloads::Problem>;

void check_policy(const Values& values, Problems& problems) {
  std::vector<std::string> names;
  for (const ReferencePolicy& policy : reference_policies(text_in(values, "env"))) names.push_back(policy.name);
  if (std::ranges::find(names, text_in(values, "policy")) == names.end())
    problems.push_back({"policy", "not a policy of " + text_in(values, "env"), results::joined(names)});
}

/// Numbers that are -1 where the settings decide: what else they may be.
struct Own {
  const char* key;
  double least;
  bool open;
  const char* allowed;
};
constexpr Own own_values[] = {{"steps", 1, false, "1 and more, or -1"},
                              {"lr", 0, true, "(0, 1000], or -1"},
                              {"gamma", 0, false, "[0, 1], or -1"},
                              {"batch", 1, false, "1 to 10000000, or -1"},
                              {"envs", 1, false, "1 to 65536, or -1"},
                              {"rollout", 1, false, "1 to 10000000, or -1"},
                              {"epochs", 1, false, "1 to 10000, or -1"},
                              {"gae_lambda", 0, false, "[0, 1], or -1"},
                              {"clip", 0, true, "(0, 1000], or -1"},
                              {"entropy_weight", 0, false, "[0, 1000], or -1"},
                              {"value_weight", 0, false, "[0, 1000], or -1"},
                              {"max_norm", 0, false, "[0, 1e9], or -1"},
                              {"buffer", 1, false, "1 to 100000000, or -1"},
                              {"learning_starts", 0, false, "0 and more, or -1"},
                              {"train_every", 1, false, "1 to 10000000, or -1"},
                              {"gradient_steps", 1, false, "1 to 1000000, or -1"},
                              {"tau", 0, true, "(0, 1], or -1"},
                              {"target_every", 1, false, "1 and more, or -1"},
                              {"epsilon_start", 0, false, "[0, 1], or -1"},
                              {"epsilon_end", 0, false, "[0, 1], or -1"},
                              {"epsilon_share", 0, true, "(0, 1], or -1"},
                              {"noise_sd", 0, false, "[0, 1000], or -1"},
                              {"policy_delay", 1, false, "1 to 1000000, or -1"},
                              {"target_noise", 0, false, "[0, 1000], or -1"},
                              {"target_clip", 0, false, "[0, 1000], or -1"}};

void check_ranges(const Values& values, Problems& problems) {
  for (const Own& own : own_values) {
    const Value& given = values.at(own.key);
    const auto* whole = std::get_if<std::int64_t>(&given);
    const double value = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(given);
    if (value != -1 && (own.open ? value <= own.least : value < own.least))
      problems.push_back({own.key, "out of range", own.allowed});
  }
  if (const std::string& layers = text_in(values, "hidden"); !layers.empty() && !parsed_layers(layers))
    problems.push_back({"hidden", "not a list of layers", "widths from 1 to 65536, such as 64,64, or nothing"});
}

void check_sizes(const Values& values, Problems& problems) {
  const Settings s = settings_from(values);
  const std::string& algorithm = text_in(values, "algorithm");
  if (algorithm == "ppo" && s.envs * s.rollout % s.batch != 0)
    problems.push_back({"batch", "does not divide the " + std::to_string(s.envs * s.rollout) + " steps of a rollout",
                        "a divisor of envs x rollout"});
  if (!on_policy(algorithm) && s.buffer < s.batch)
    problems.push_back(
        {"buffer", "smaller than a minibatch", std::to_string(s.batch) + " and more, or a smaller batch"});
}

void check_algorithm(const Values& values, Problems& problems) {
  const std::string &algorithm = text_in(values, "algorithm"), &environment = text_in(values, "env");
#ifdef RETRIAL_NO_TORCH
  problems.push_back({"algorithm", "this program was built without LibTorch, which trains", "policy"});
  return;
#endif
  const bool discrete = rlenv::environment_if_known(environment)->actions.discrete;
  if (!fits(algorithm, discrete)) {
    std::vector<std::string> fitting{"policy"};
    for (const std::string& name : algorithms())
      if (fits(name, discrete)) fitting.push_back(name);
    problems.push_back({"algorithm",
                        "has no actions that are " + std::string(discrete ? "choices" : "numbers") + ", as those of " +
                            environment + " are",
                        results::joined(fitting)});
    return;
  }
  if (!published_settings(text_in(values, "settings"), algorithm, environment)) {
    problems.push_back({"settings", "no settings for " + algorithm + " on " + environment,
                        results::joined(columns_with(algorithm, environment))});
    return;
  }
  const std::size_t before = problems.size();
  check_ranges(values, problems);
  if (problems.size() == before) check_sizes(values, problems);
}

}  // namespace

Problems validate(const Values& values) {
  Problems problems;
  if (const std::string reason = rlenv::absent_environment(text_in(values, "env")); !reason.empty())
    return {{"env", "is not available: " + reason, results::joined(rlenv::present_environments())}};
  if (is_reference(values))
    check_policy(values, problems);
  else
    check_algorithm(values, problems);
  return problems;
}

}  // namespace retrial::rl
