#pragma once

#include <functional>
#include <memory>

#include "workloads/interface/trial/probe.hpp"
#include "workloads/rl/agents/learner_torch.hpp"

namespace retrial::rl::inline agents {

using MakeLearner = std::function<std::unique_ptr<Learner>(const workloads::Trial&)>;

/// The algorithm that the trial names.
[[nodiscard]] std::unique_ptr<Learner> learner_of(const workloads::Trial& trial, const workloads::Place& place);

/// Looks inside a training, for `retrial check rl --liveness`: whether each source has draws of its own, what is
/// learned where the time limit cuts an episode, how targets move, which rows of the replay buffer are drawn, and
/// whether an evaluation draws or moves anything. A training is run for some hundred steps; what did not happen in
/// them, such as the end of a long episode, is not among the parts that were looked at.
[[nodiscard]] workloads::ProbeReport examined(const workloads::Trial& trial, const MakeLearner& make);

}  // namespace retrial::rl::inline agents
