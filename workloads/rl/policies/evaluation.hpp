#pragma once

#include <functional>

#include "workloads/interface/trial/run.hpp"
#include "workloads/rl/policies/reference.hpp"

namespace retrial::rl::inline policies {

/// Evaluation on the start set E100: episode i starts from reset seed i. No source draws it, so that every trial is
/// judged on the same starts.
inline constexpr std::size_t all_starts = 100;

using Environments = std::span<const std::unique_ptr<rlenv::Environment>>;
/// Fills the actions of all environments at step t: those of environment 0 first. Episodes that have ended are among
/// them; their actions are not read.
using Act = std::function<void(Environments environments, std::uint64_t t, std::span<double> actions)>;

struct Scores {
  std::vector<double> returns;        ///< one for each start; NaN where an action was not finite
  std::vector<double> lengths;        ///< steps of each episode
  std::vector<double> first_actions;  ///< all actions of the first episode

  [[nodiscard]] double mean_return() const;
};

[[nodiscard]] Scores evaluated(const std::string& environment, const rlenv::Options& options, std::size_t starts,
                               const Act& act);
/// The actions of a policy written by hand; `seed` is the source seed of `policy` where it draws.
[[nodiscard]] Act acts_by(const ReferencePolicy& policy, std::uint64_t seed);
/// The final metrics and the digests `returns` and `actions` of a trial.
void record(const Scores& scores, workloads::Recorder& recorder);

}  // namespace retrial::rl::inline policies
