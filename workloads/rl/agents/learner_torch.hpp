#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/interface/trial/run.hpp"
#include "workloads/rl/agents/network_torch.hpp"
#include "workloads/rl/agents/replay.hpp"
#include "workloads/rl/env/normaliser.hpp"
#include "workloads/rl/env/vector_environment.hpp"
#include "workloads/rl/policies/evaluation.hpp"
#include "workloads/rl/settings/settings.hpp"

namespace retrial::rl::inline agents {

/// What all algorithms share: environments and their normalization, boundaries, evaluation, digests, saving.
class Learner : public workloads::Run {
 public:
  Learner(const workloads::Trial& trial, const workloads::Place& place);

  bool advance(workloads::Recorder& recorder) final;
  void save(std::ostream& to) const final;
  void load(std::istream& from) final;

  /// One iteration: a rollout and its updates, or a step and what it is time for.
  virtual void iterate(workloads::Recorder& recorder) = 0;
  /// Further metrics of the iterations since the last boundary.
  virtual void diagnose(workloads::Recorder&) {}
  /// Actions without a draw for normalized observations, one row for each environment.
  virtual void best_actions(const at::Tensor& observations, std::span<double> actions) const = 0;
  /// Every tensor that is trained, targets included.
  [[nodiscard]] virtual nn::NamedTensors tensors() const = 0;
  [[nodiscard]] Scores evaluation(std::size_t starts) const;
  [[nodiscard]] std::int64_t steps_done() const { return steps_done_; }
  [[nodiscard]] bool over() const { return over_ || steps_done_ >= settings_.steps; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const std::optional<rlenv::ObservationNormaliser>& normaliser() const { return normaliser_; }
  [[nodiscard]] const rlenv::VectorEnvironment& environments() const { return *environments_; }
  /// Null for an algorithm that keeps no transitions.
  [[nodiscard]] virtual const ReplayBuffer* replay() const { return nullptr; }
  /// Of each step of the last rollout: the reward that was learned, and whether the time limit cut its episode. Empty
  /// for an algorithm without rollouts.
  [[nodiscard]] virtual std::span<const double> learned_rewards() const { return {}; }
  [[nodiscard]] virtual std::span<const char> cut_steps() const { return {}; }

 protected:
  virtual void save_more(nn::StateWriter& to) const = 0;
  virtual void load_more(nn::StateReader& from) = 0;

  /// Observations as the networks see them.
  [[nodiscard]] at::Tensor seen(std::span<const float> observations) const;
  /// Steps all environments; episodes that ended are counted. Returns the rewards to learn from.
  std::vector<double> stepped(std::span<const double> actions);
  [[nodiscard]] double rate_of(double lr) const;
  /// After each gradient step. False: the training is over, because it diverged or was to be this short.
  bool after_step(workloads::Recorder& recorder, double loss);
  [[nodiscard]] double mean_loss_and_reset();

  [[nodiscard]] const workloads::Trial& trial() const { return trial_; }
  /// Of the networks. What is learned from, draws, losses and their slopes are the host's on every device.
  [[nodiscard]] const at::Device& device() const { return device_; }
  [[nodiscard]] bool moves_on_host() const;
  [[nodiscard]] const rlenv::Description& description() const { return environments_->description(); }
  [[nodiscard]] std::size_t action_width() const;
  [[nodiscard]] bool cuts_are_ends() const { return cuts_are_ends_; }
  /// Steps of each environment: the index of the next draw of actions.
  [[nodiscard]] std::uint64_t time() const { return time_; }
  [[nodiscard]] NetworkShape shape(std::size_t inputs, std::size_t outputs, double head_gain = 1) const;

 private:
  void report(workloads::Recorder& recorder);
  void finish(workloads::Recorder& recorder);

  workloads::Trial trial_;
  workloads::Place place_;
  Settings settings_;
  at::Device device_;
  bool cuts_are_ends_;
  std::unique_ptr<rlenv::VectorEnvironment> environments_;
  std::optional<rlenv::ObservationNormaliser> normaliser_;
  std::optional<rlenv::RewardScaler> scaler_;
  std::vector<double> running_, finished_;  ///< returns of the episodes under way, and of those since the last boundary
  std::int64_t steps_done_ = 0, updates_ = 0, boundary_ = 0;
  std::uint64_t time_ = 0;
  double loss_sum_ = 0, loss_count_ = 0, seconds_ = 0;
  bool over_ = false;
};

[[nodiscard]] std::unique_ptr<Learner> on_policy_learner(const workloads::Trial& trial, const workloads::Place& place);
[[nodiscard]] std::unique_ptr<Learner> q_learner(const workloads::Trial& trial, const workloads::Place& place);
[[nodiscard]] std::unique_ptr<Learner> critic_learner(const workloads::Trial& trial, const workloads::Place& place);

}  // namespace retrial::rl::inline agents
