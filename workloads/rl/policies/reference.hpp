#pragma once

#include <span>
#include <string>
#include <vector>

#include "workloads/rl/env/environment.hpp"

/// Policies written by hand, beside which every learned one is judged.
namespace retrial::rl::inline policies {

struct ReferencePolicy {
  std::string name, rule;
  bool draws = false;
  /// The action in this state, of each dimension alike; `word` is a draw of 64 bits for a policy that draws.
  double (*act)(std::span<const double> state, std::uint64_t word) = nullptr;
};

/// Of one environment, "random" first; none for a name that is not known.
[[nodiscard]] std::vector<ReferencePolicy> reference_policies(const std::string& environment);
/// Throws InvalidInput("policy") with those that the environment has.
[[nodiscard]] ReferencePolicy reference_policy(const std::string& environment, const std::string& name);
/// Names of all environments' policies, each once, "random" first.
[[nodiscard]] std::vector<std::string> policy_names();

/// Fills the action of environment i at step t, a value for each dimension. `seed` is the source seed of `policy` where
/// it draws.
void act_by(const ReferencePolicy& policy, std::span<const double> state, std::uint64_t seed, std::uint64_t t,
            std::uint64_t i, std::span<double> action);

}  // namespace retrial::rl::inline policies
