#include "workloads/rl/agents/replay_batch_torch.hpp"

#include <algorithm>

#include "workloads/nn/training/optimizer_torch.hpp"
#include "workloads/profiler/recording/annotation.hpp"

namespace retrial::rl::inline agents {

Batch batch_of(const ReplayBuffer& replay, const std::vector<std::size_t>& rows,
               const std::optional<rlenv::ObservationNormaliser>& normaliser, const at::Device& device) {
  RETRIAL_OPERATION("replay");
  std::vector<float> before, action, after;
  for (const std::size_t row : rows) {
    const auto found = replay[row];
    before.insert(before.end(), found.observation.begin(), found.observation.end());
    action.insert(action.end(), found.action.begin(), found.action.end());
    after.insert(after.end(), found.next_observation.begin(), found.next_observation.end());
  }
  if (normaliser) {
    normaliser->apply(before);
    normaliser->apply(after);
  }
  const std::size_t width = before.size() / rows.size();
  return {.observations = nn::on(device, matrix_of(before, width)),
          .actions = nn::on(device, matrix_of(action, action.size() / rows.size())),
          .next_observations = nn::on(device, matrix_of(after, width))};
}

ReplayBuffer replay_for(const Settings& settings, std::size_t observations, std::size_t actions) {
  return {static_cast<std::size_t>(std::min(settings.buffer, settings.steps)), observations, actions};
}

void remember(ReplayBuffer& replay, std::span<const float> before, const std::vector<float>& action, double reward,
              const rlenv::VectorEnvironment& environments, bool cuts_are_ends) {
  RETRIAL_OPERATION("replay");
  const rlenv::Step& step = environments.steps()[0];
  const auto after = step.ends() ? environments.final_observations() : environments.observations();
  replay.add({.observation = before,
              .action = action,
              .next_observation = after,
              .reward = static_cast<float>(reward),
              .terminated = step.terminated || (cuts_are_ends && step.truncated)});
}

bool learns(const Settings& settings, std::int64_t steps_done) {
  return steps_done > settings.learning_starts && steps_done % settings.train_every == 0;
}

}  // namespace retrial::rl::inline agents
