#include "workloads/rl/keys.hpp"
#include "workloads/rl/policies/reference.hpp"
#include "workloads/rl/settings/settings.hpp"

namespace retrial::rl {
namespace {

const char* summary_of(const std::string& algorithm) {
  if (algorithm == "ppo") return "proximal policy optimization";
  if (algorithm == "a2c") return "advantage actor-critic";
  if (algorithm == "dqn") return "deep Q-learning, for actions that are choices";
  if (algorithm == "ddpg") return "deep deterministic policy gradient, for actions that are numbers";
  if (algorithm == "td3") return "the same with two critics and a delayed policy";
  return "soft actor-critic, for actions that are numbers";
}

/// "of cartpole, pendulum".
std::string owners_of(const std::string& policy) {
  std::string owners;
  for (const auto& environment : rlenv::environments())
    for (const ReferencePolicy& known : reference_policies(environment.name))
      if (known.name == policy) owners += (owners.empty() ? "" : ", ") + environment.name;
  return owners;
}

}  // namespace

/// "random" first, the default baseline, and "ppo" second, the default candidate.
std::vector<workloads::Variant> variants() {
  std::vector<workloads::Variant> policies, learned;
  for (const std::string& name : policy_names())
    policies.push_back({name,
                        name == "random" ? "no training: uniform random actions"
                                         : "no training: a policy written by hand, of " + owners_of(name),
                        {{"algorithm", std::string("policy")}, {"policy", name}}});
  for (const std::string& name : algorithms()) learned.push_back({name, summary_of(name), {{"algorithm", name}}});
  std::vector<workloads::Variant> all{policies.front()};
  all.insert(all.end(), learned.begin(), learned.end());
  all.insert(all.end(), policies.begin() + 1, policies.end());
  return all;
}

}  // namespace retrial::rl
