#pragma once

#include <optional>
#include <vector>

#include "workloads/rl/agents/network_torch.hpp"
#include "workloads/rl/agents/replay.hpp"
#include "workloads/rl/env/normaliser.hpp"
#include "workloads/rl/env/vector_environment.hpp"
#include "workloads/rl/settings/settings.hpp"

namespace retrial::rl::inline agents {

/// Rows of the buffer as the networks see them, on their device.
struct Batch {
  at::Tensor observations, actions, next_observations;
};
[[nodiscard]] Batch batch_of(const ReplayBuffer& replay, const std::vector<std::size_t>& rows,
                             const std::optional<rlenv::ObservationNormaliser>& normaliser, const at::Device& device);

/// No larger than the training can fill.
[[nodiscard]] ReplayBuffer replay_for(const Settings& settings, std::size_t observations, std::size_t actions);

/// Keeps the step that environment 0 has just made. An end by the time limit is none, unless it is to count as one.
void remember(ReplayBuffer& replay, std::span<const float> before, const std::vector<float>& action, double reward,
              const rlenv::VectorEnvironment& environments, bool cuts_are_ends);

/// Whether it is time for an update after so many steps.
[[nodiscard]] bool learns(const Settings& settings, std::int64_t steps_done);

}  // namespace retrial::rl::inline agents
