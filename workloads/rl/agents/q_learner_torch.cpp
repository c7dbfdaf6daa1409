#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>

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

/// Deep Q-learning (Mnih et al. 2015).
class QLearner final : public Learner {
 public:
  QLearner(const Trial& trial, const Place& place)
      : Learner(trial, place),
        choices_(static_cast<std::size_t>(description().actions.count)),
        q_("q", shape(description().observations, choices_), trial.seed("init"), device()),
        target_("target", shape(description().observations, choices_), trial.seed("init"), device()),
        optimizer_(q_.parameters(), Rule::adam, 1e-8, moves_on_host()),
        replay_(replay_for(settings(), description().observations, 1)) {
    target_.move_towards(q_, 1);
  }

  void iterate(Recorder& recorder) override {
    const std::vector<float> before(environments().observations().begin(), environments().observations().end());
    const double action = drawn_action();
    const double reward = stepped({&action, 1}).front();
    remember(replay_, before, {static_cast<float>(action)}, reward, environments(), cuts_are_ends());
    if (steps_done() % settings().target_every == 0) target_.move_towards(q_, settings().tau);
    if (!learns(settings(), steps_done())) return;
    for (std::int64_t i = 0; i < settings().gradient_steps; ++i)
      if (!after_step(recorder, update())) return;
  }

  void best_actions(const at::Tensor& observations, std::span<double> actions) const override {
    const at::Tensor values = nn::on_host(q_(observations));
    for (std::size_t i = 0; i < actions.size(); ++i) actions[i] = static_cast<double>(best_place(row_of(values, i)));
  }

  [[nodiscard]] const ReplayBuffer* replay() const override { return &replay_; }
  [[nodiscard]] nn::NamedTensors tensors() const override {
    nn::NamedTensors all = q_.parameters();
    all.insert(all.end(), target_.parameters().begin(), target_.parameters().end());
    return all;
  }

 protected:
  void save_more(nn::StateWriter& to) const override {
    optimizer_.save(to);
    replay_.save(to);
  }
  void load_more(nn::StateReader& from) override {
    optimizer_.load(from);
    replay_.load(from);
  }

 private:
  [[nodiscard]] double epsilon() const {
    const double done = static_cast<double>(steps_done()) / static_cast<double>(settings().steps),
                 share = std::min(1.0, done / settings().epsilon_share);
    return settings().epsilon_start + share * (settings().epsilon_end - settings().epsilon_start);
  }

  [[nodiscard]] double drawn_action() const {
    RETRIAL_OPERATION("inference");
    const at::NoGradGuard no_gradient;
    variance::Stream draws(variance::derive(variance::derive(trial().seed("policy"), "action"), time()), 0);
    const bool explores = steps_done() < settings().learning_starts || variance::uniform(draws.next()) < epsilon();
    if (explores) return static_cast<double>(variance::bounded(draws.next(), choices_));
    double action = 0;
    best_actions(seen(environments().observations()), {&action, 1});
    return action;
  }

  double update() {
    RETRIAL_OPERATION("backprop");
    const auto rows = replay_.drawn(trial().seed("data-order"), static_cast<std::uint64_t>(optimizer_.steps()),
                                    static_cast<std::size_t>(settings().batch));
    const Batch batch = batch_of(replay_, rows, normaliser(), device());
    at::Tensor next;
    {
      const at::NoGradGuard no_gradient;
      next = nn::on_host(target_(batch.next_observations));
    }
    const at::Tensor made = q_(batch.observations), values = nn::on_host(made);
    const double share = 1 / static_cast<double>(rows.size());
    std::vector<float> gradient(rows.size() * choices_);
    double loss = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto found = replay_[rows[i]];
      const auto best = row_of(next, i);
      const double follows = found.terminated ? 0 : settings().gamma * best[best_place(best)];
      const auto taken = static_cast<std::size_t>(found.action[0]);
      const double error = row_of(values, i)[taken] - (found.reward + follows);
      const Loss of_row = settings().huber ? huber_loss(error) : Loss{error * error, 2 * error};
      loss += share * of_row.value;
      gradient[i * choices_ + taken] = static_cast<float>(share * of_row.slope);
    }
    descend(made, gradient);
    optimizer_.step(rate_of(settings().lr), settings().max_norm);
    return loss;
  }

  std::size_t choices_;
  Network q_, target_;
  AdaptiveOptimizer optimizer_;
  ReplayBuffer replay_;
};

}  // namespace

std::unique_ptr<Learner> q_learner(const Trial& trial, const Place& place) {
  return std::make_unique<QLearner>(trial, place);
}

}  // namespace retrial::rl::inline agents
