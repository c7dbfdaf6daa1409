#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "variance/random/rng.hpp"
#include "workloads/nn/training/optimizer_torch.hpp"
#include "workloads/profiler/recording/annotation.hpp"
#include "workloads/rl/agents/learner_torch.hpp"
#include "workloads/rl/agents/losses.hpp"
#include "workloads/rl/agents/optimizer_torch.hpp"
#include "workloads/rl/agents/replay_batch_torch.hpp"

namespace retrial::rl::inline agents {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial;

/// Actions of a policy in [-1, 1], with their log probabilities where it draws them.
struct Drawn {
  at::Tensor actions, log_probabilities;
};

/// DDPG (Lillicrap et al. 2016), TD3 (Fujimoto et al. 2018) and SAC (Haarnoja et al. 2018): a policy that climbs the
/// values of a critic. The networks have actions in [-1, 1].
class CriticLearner final : public Learner {
 public:
  CriticLearner(const Trial& trial, const Place& place)
      : Learner(trial, place),
        soft_(trial.text("algorithm") == "sac"),
        smooths_(trial.text("algorithm") == "td3"),
        width_(action_width()),
        policy_("policy", shape(description().observations, soft_ ? 2 * width_ : width_), trial.seed("init"), device()),
        policy_target_("policy_target", shape(description().observations, width_), trial.seed("init"), device()),
        log_alpha_(at::zeros({1}, at::kFloat).requires_grad_(true)),
        policy_optimizer_(policy_.parameters(), Rule::adam, 1e-8, moves_on_host()),
        critic_optimizer_(critics_made(trial.seed("init")), Rule::adam, 1e-8, moves_on_host()),
        alpha_optimizer_({{"log_alpha", log_alpha_}}, Rule::adam, 1e-8),
        replay_(replay_for(settings(), description().observations, width_)) {
    if (!soft_) policy_target_.move_towards(policy_, 1);
    for (std::size_t i = 0; i < critics_.size(); ++i) targets_[i].move_towards(critics_[i], 1);
  }

  void iterate(Recorder& recorder) override {
    const std::vector<float> before(environments().observations().begin(), environments().observations().end());
    const std::vector<float> action = exploring_action();
    std::vector<double> executed;
    for (const float value : action)
      executed.push_back(std::isfinite(value) ? static_cast<double>(value) * description().actions.bound : 0);
    const double reward = stepped(executed).front();
    remember(replay_, before, action, reward, environments(), cuts_are_ends());
    if (!learns(settings(), steps_done())) return;
    for (std::int64_t i = 0; i < settings().gradient_steps; ++i)
      if (!after_step(recorder, update())) return;
  }

  void best_actions(const at::Tensor& observations, std::span<double> actions) const override {
    const at::Tensor out = nn::on_host(at::tanh(policy_(observations)));
    for (std::size_t i = 0; i < static_cast<std::size_t>(out.size(0)); ++i)
      for (std::size_t k = 0; k < width_; ++k)
        actions[i * width_ + k] = static_cast<double>(row_of(out, i)[k]) * description().actions.bound;
  }

  [[nodiscard]] const ReplayBuffer* replay() const override { return &replay_; }
  [[nodiscard]] nn::NamedTensors tensors() const override {
    nn::NamedTensors all = policy_.parameters();
    const auto add = [&all](const nn::NamedTensors& more) { all.insert(all.end(), more.begin(), more.end()); };
    if (!soft_) add(policy_target_.parameters());
    for (const auto* networks : {&critics_, &targets_})
      for (const Network& network : *networks) add(network.parameters());
    if (tunes()) add({{"log_alpha", log_alpha_}});
    return all;
  }

 protected:
  void save_more(nn::StateWriter& to) const override {
    for (const auto* optimizer : {&policy_optimizer_, &critic_optimizer_, &alpha_optimizer_}) optimizer->save(to);
    replay_.save(to);
  }
  void load_more(nn::StateReader& from) override {
    for (auto* optimizer : {&policy_optimizer_, &critic_optimizer_, &alpha_optimizer_}) optimizer->load(from);
    replay_.load(from);
  }

 private:
  [[nodiscard]] bool tunes() const { return soft_ && settings().entropy_weight == 0; }
  [[nodiscard]] double alpha() const {
    return tunes() ? std::exp(static_cast<double>(nn::floats_of(log_alpha_)[0])) : settings().entropy_weight;
  }

  /// Makes critics and their targets; the tensors that their optimizer trains.
  nn::NamedTensors critics_made(std::uint64_t init) {
    nn::NamedTensors trained;
    for (int i = 0; i < (soft_ || smooths_ ? 2 : 1); ++i) {
      const NetworkShape of_both = shape(description().observations + width_, 1);
      critics_.emplace_back("critic" + std::to_string(i + 1), of_both, init, device());
      targets_.emplace_back("critic_target" + std::to_string(i + 1), of_both, init, device());
      trained.insert(trained.end(), critics_.back().parameters().begin(), critics_.back().parameters().end());
    }
    return trained;
  }

  [[nodiscard]] variance::Stream draws_of(const char* purpose, std::uint64_t n) const {
    return variance::Stream(variance::derive(variance::derive(trial().seed("policy"), purpose), n), 0);
  }

  [[nodiscard]] static at::Tensor normals(variance::Stream& draws, std::size_t rows, std::size_t columns) {
    std::vector<float> values(rows * columns);
    for (float& value : values) value = static_cast<float>(variance::normal(draws.next()));
    return matrix_of(values, columns);
  }

  /// A squashed normal: mean and log deviation come from the network, the latter between -5 and 2.
  [[nodiscard]] Drawn squashed(const at::Tensor& observations, variance::Stream& draws) const {
    const auto columns = static_cast<std::int64_t>(width_);
    const at::Tensor out = policy_(observations), mean = out.narrow(1, 0, columns),
                     log_sd = (at::tanh(out.narrow(1, columns, columns)) + 1) * 3.5 - 5,
                     noise = nn::on(device(), normals(draws, static_cast<std::size_t>(out.size(0)), width_)),
                     u = mean + at::exp(log_sd) * noise;
    const at::Tensor density = noise * noise * -.5 - log_sd - .5 * std::log(2 * std::numbers::pi),
                     squash = (u + at::softplus(u * -2) - std::numbers::ln2) * 2;  // minus log(1 - tanh(u)^2)
    return {at::tanh(u), (density + squash).sum(1, true)};
  }

  std::vector<float> exploring_action() {
    RETRIAL_OPERATION("inference");
    const at::NoGradGuard no_gradient;
    variance::Stream draws = draws_of("action", time());
    std::vector<float> action(width_);
    if (steps_done() < settings().learning_starts) {
      for (float& value : action) value = static_cast<float>(variance::uniform(draws.next(), -1, 1));
      return action;
    }
    const at::Tensor observations = seen(environments().observations());
    const at::Tensor made = soft_ ? squashed(observations, draws).actions : at::tanh(policy_(observations));
    std::ranges::copy(row_of(nn::on_host(made), 0), action.begin());
    if (!soft_ && settings().noise_sd > 0)
      for (float& value : action)
        value = std::clamp(value + static_cast<float>(settings().noise_sd * variance::normal(draws.next())), -1.F, 1.F);
    return action;
  }

  [[nodiscard]] at::Tensor next_actions(const at::Tensor& observations, std::uint64_t update, Drawn& drawn) const {
    variance::Stream draws = draws_of("target", update);
    if (soft_) {
      drawn = squashed(observations, draws);
      return drawn.actions;
    }
    const at::Tensor made = at::tanh(policy_target_(observations));
    if (!smooths_) return made;
    const at::Tensor noise =
        nn::on(device(), normals(draws, static_cast<std::size_t>(made.size(0)), width_)) * settings().target_noise;
    return (made + noise.clamp(-settings().target_clip, settings().target_clip)).clamp(-1, 1);
  }

  [[nodiscard]] static at::Tensor least_of(const std::vector<Network>& critics, const at::Tensor& rows) {
    const at::Tensor first = critics.front()(rows);
    return critics.size() == 1 ? first : at::minimum(first, critics.back()(rows));
  }

  double update() {
    RETRIAL_OPERATION("backprop");
    const auto number = static_cast<std::uint64_t>(critic_optimizer_.steps());
    const auto rows = replay_.drawn(trial().seed("data-order"), number, static_cast<std::size_t>(settings().batch));
    const Batch batch = batch_of(replay_, rows, normaliser(), device());
    const double loss = update_critics(batch, rows, number);
    if ((critic_optimizer_.steps()) % settings().policy_delay == 0) {
      update_policy(batch, number);
      if (!soft_) policy_target_.move_towards(policy_, settings().tau);
      if (smooths_) move_targets();
    }
    if (!smooths_) move_targets();
    return loss;
  }

  void move_targets() {
    for (std::size_t i = 0; i < critics_.size(); ++i) targets_[i].move_towards(critics_[i], settings().tau);
  }

  double update_critics(const Batch& batch, const std::vector<std::size_t>& rows, std::uint64_t number) {
    std::vector<double> targets;
    {
      const at::NoGradGuard no_gradient;
      Drawn drawn;
      const at::Tensor actions = next_actions(batch.next_observations, number, drawn);
      const at::Tensor next = nn::on_host(least_of(targets_, at::cat({batch.next_observations, actions}, 1)));
      if (soft_) drawn.log_probabilities = nn::on_host(drawn.log_probabilities);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto found = replay_[rows[i]];
        double follows = row_of(next, i)[0];
        if (soft_) follows -= alpha() * static_cast<double>(row_of(drawn.log_probabilities, i)[0]);
        targets.push_back(found.reward + (found.terminated ? 0 : settings().gamma * follows));
      }
    }
    const at::Tensor input = at::cat({batch.observations, batch.actions}, 1);
    const double share = 1 / static_cast<double>(rows.size());
    double loss = 0;
    for (const Network& critic : critics_) {
      const at::Tensor made = critic(input), values = nn::on_host(made);
      std::vector<float> gradient;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double error = row_of(values, i)[0] - targets[i];
        loss += share * error * error;
        gradient.push_back(static_cast<float>(share * 2 * error));
      }
      descend(made, gradient);
    }
    critic_optimizer_.step(rate_of(settings().critic_lr > 0 ? settings().critic_lr : settings().lr));
    return loss;
  }

  void update_policy(const Batch& batch, std::uint64_t number) {
    if (soft_) {
      variance::Stream draws = draws_of("noise", number);
      const Drawn drawn = squashed(batch.observations, draws);
      const at::Tensor values = least_of(critics_, at::cat({batch.observations, drawn.actions}, 1));
      (drawn.log_probabilities * alpha() - values).mean().backward();
      if (tunes()) tune(nn::on_host(drawn.log_probabilities));
    } else {
      const at::Tensor actions = at::tanh(policy_(batch.observations));
      (-critics_.front()(at::cat({batch.observations, actions}, 1)).mean()).backward();
    }
    for (const Network& critic : critics_) drop_gradients(critic.parameters());
    policy_optimizer_.step(rate_of(settings().lr));
  }

  /// The temperature that keeps the entropy at the number of dimensions below 0.
  void tune(const at::Tensor& log_probabilities) {
    double mean = 0;
    const auto values = nn::floats_of(log_probabilities);
    for (const float value : values) mean += static_cast<double>(value) / static_cast<double>(values.size());
    const std::vector<float> slope{static_cast<float>(-(mean - static_cast<double>(width_)))};
    log_alpha_.mutable_grad() = matrix_of(slope, 1).view({1});
    alpha_optimizer_.step(rate_of(settings().critic_lr > 0 ? settings().critic_lr : settings().lr));
  }

  bool soft_, smooths_;
  std::size_t width_;
  std::vector<Network> critics_, targets_;
  Network policy_, policy_target_;
  at::Tensor log_alpha_;
  AdaptiveOptimizer policy_optimizer_, critic_optimizer_, alpha_optimizer_;
  ReplayBuffer replay_;
};

}  // namespace

std::unique_ptr<Learner> critic_learner(const Trial& trial, const Place& place) {
  return std::make_unique<CriticLearner>(trial, place);
}

}  // namespace retrial::rl::inline agents
