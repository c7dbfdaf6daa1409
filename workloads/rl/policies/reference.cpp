#include "workloads/rl/policies/reference.hpp"

#include <algorithm>
#include <cmath>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "workloads/rl/env/normalised_angle.hpp"

namespace retrial::rl::inline policies {
namespace {

using State = std::span<const double>;
using Word = std::uint64_t;

double torque(double rate) {
  return rate > 0 ? 2 : rate < 0 ? 0 : 1;
}

double swing_up(State s, Word) {
  const double angle = rlenv::normalised_angle(s[0]), rate = s[1];
  if (std::fabs(angle) < 0.8) return -(8.0 * angle + 2.0 * rate);
  const double energy = 0.5 * rate * rate + 15.0 * (std::cos(s[0]) - 1.0);
  return rate >= 0 ? -energy : energy;
}

ReferencePolicy random_policy(const char* rule, double (*act)(State, Word)) {
  return {"random", rule, true, act};
}

std::vector<ReferencePolicy> of_cartpole() {
  return {random_policy("0 or 1", [](State, Word word) { return static_cast<double>(variance::bounded(word, 2)); }),
          {"constant", "1", false, [](State, Word) { return 1.0; }},
          {"angle", "1 if the angle is above 0, else 0", false, [](State s, Word) { return s[2] > 0 ? 1.0 : 0.0; }},
          {"angle_rate", "1 if angle + 0.5 rate is above 0, else 0", false,
           [](State s, Word) { return s[2] + 0.5 * s[3] > 0 ? 1.0 : 0.0; }}};
}

std::vector<ReferencePolicy> of_acrobot() {
  return {random_policy("0, 1 or 2", [](State, Word word) { return static_cast<double>(variance::bounded(word, 3)); }),
          {"shoulder", "torque in the direction in which the first link turns", false,
           [](State s, Word) { return torque(s[2]); }},
          {"elbow", "torque in the direction in which the second link turns", false,
           [](State s, Word) { return torque(s[3]); }}};
}

std::vector<ReferencePolicy> of_mountaincar() {
  return {random_policy("0, 1 or 2", [](State, Word word) { return static_cast<double>(variance::bounded(word, 3)); }),
          {"bang", "push in the direction of motion", false, [](State s, Word) { return s[1] >= 0 ? 2.0 : 0.0; }}};
}

ReferencePolicy random_numbers() {
  return random_policy("uniform from -1 to 1", [](State, Word word) { return variance::uniform(word, -1, 1); });
}

std::vector<ReferencePolicy> of_mountaincar_continuous() {
  return {
      random_numbers(),
      {"bang", "full force in the direction of motion", false, [](State s, Word) { return s[1] >= 0 ? 1.0 : -1.0; }},
      {"zero", "no force", false, [](State, Word) { return 0.0; }}};
}

std::vector<ReferencePolicy> of_pendulum() {
  return {random_policy("uniform from -2 to 2", [](State, Word word) { return variance::uniform(word, -2, 2); }),
          {"zero", "no torque", false, [](State, Word) { return 0.0; }},
          {"swing_up", "energy up to the top, then a proportional and derivative controller", false, swing_up}};
}

std::vector<std::string> names_of(const std::vector<ReferencePolicy>& policies) {
  std::vector<std::string> names;
  for (const ReferencePolicy& policy : policies) names.push_back(policy.name);
  return names;
}

}  // namespace

std::vector<ReferencePolicy> reference_policies(const std::string& environment) {
  if (environment == "cartpole") return of_cartpole();
  if (environment == "acrobot") return of_acrobot();
  if (environment == "mountaincar") return of_mountaincar();
  if (environment == "mountaincar-continuous") return of_mountaincar_continuous();
  if (environment == "pendulum") return of_pendulum();
  if (rlenv::environment_if_known(environment) != nullptr) return {random_numbers()};
  return {};
}

ReferencePolicy reference_policy(const std::string& environment, const std::string& name) {
  const auto policies = reference_policies(environment);
  const auto found = std::ranges::find(policies, name, &ReferencePolicy::name);
  if (found == policies.end()) throw variance::InvalidInput("policy", name, results::joined(names_of(policies)));
  return *found;
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const auto& environment : rlenv::environments())
    for (const std::string& name : names_of(reference_policies(environment.name)))
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

void act_by(const ReferencePolicy& policy, State state, std::uint64_t seed, std::uint64_t t, std::uint64_t i,
            std::span<double> action) {
  if (!policy.draws) {
    std::ranges::fill(action, policy.act(state, 0));
    return;
  }
  variance::Stream words(variance::derive(variance::derive(seed, "action"), t), i);
  for (double& value : action) value = policy.act(state, words.next());
}

}  // namespace retrial::rl::inline policies
