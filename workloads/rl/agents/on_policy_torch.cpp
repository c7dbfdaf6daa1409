#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>

#include <algorithm>
#include <cmath>

#include "variance/random/rng.hpp"
#include "workloads/nn/training/optimizer_torch.hpp"
#include "workloads/profiler/recording/annotation.hpp"
#include "workloads/rl/agents/advantages.hpp"
#include "workloads/rl/agents/learner_torch.hpp"
#include "workloads/rl/agents/losses.hpp"
#include "workloads/rl/agents/optimizer_torch.hpp"

namespace retrial::rl::inline agents {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial;

/// One step of one environment: place t * environments + i.
struct Rollout {
  std::vector<float> observations;
  std::vector<double> actions, log_probabilities, values, rewards, advantages, returns;
  std::vector<char> ended, cut;
};

/// Proximal policy optimization (Schulman et al. 2017), and advantage actor-critic (Mnih et al. 2016): one update of
/// the whole rollout without clipping.
class OnPolicy final : public Learner {
 public:
  OnPolicy(const Trial& trial, const Place& place)
      : Learner(trial, place),
        clips_(trial.text("algorithm") == "ppo"),
        discrete_(description().actions.discrete),
        outputs_(static_cast<std::size_t>(description().actions.count)),
        policy_("policy", shape(description().observations, outputs_, .01), trial.seed("init"), device()),
        value_("value", shape(description().observations, 1, 1), trial.seed("init"), device()),
        log_sd_(at::full({discrete_ ? 0 : static_cast<std::int64_t>(outputs_)}, settings().log_sd, at::kFloat)
                    .requires_grad_(true)),
        optimizer_(trained(), clips_ ? Rule::adam : Rule::rmsprop, 1e-5, moves_on_host()) {}

  void iterate(Recorder& recorder) override {
    const double rate = rate_of(settings().lr);
    const double left = 1 - static_cast<double>(steps_done()) / static_cast<double>(settings().steps);
    clip_ = settings().clip_linear ? settings().clip * left : settings().clip;
    collect();
    const std::int64_t passes = clips_ ? settings().epochs : 1;
    for (std::int64_t epoch = 0; epoch < passes; ++epoch)
      if (!pass_over(recorder, rate)) break;
  }

  void best_actions(const at::Tensor& observations, std::span<double> actions) const override {
    const at::Tensor out = nn::on_host(policy_(observations));
    const double bound = description().actions.bound;
    for (std::size_t i = 0; i < static_cast<std::size_t>(out.size(0)); ++i) {
      const auto row = row_of(out, i);
      if (discrete_)
        actions[i] = static_cast<double>(best_place(row));
      else
        for (std::size_t k = 0; k < row.size(); ++k)
          actions[i * row.size() + k] = std::isnan(row[k]) ? row[k] : std::clamp<double>(row[k], -bound, bound);
    }
  }

  void diagnose(Recorder& recorder) override {
    const Movement moved = movement(log_ratios_, clip_);
    recorder.metric("k1", moved.k1, steps_done());
    recorder.metric("k3", moved.k3, steps_done());
    if (clips_) recorder.metric("clip_fraction", moved.clip_fraction, steps_done());
    log_ratios_.clear();
    if (const auto explained = explained_variance(rollout_.returns, rollout_.values))
      recorder.metric("explained_variance", *explained, steps_done());
  }

  [[nodiscard]] nn::NamedTensors tensors() const override { return trained(); }
  [[nodiscard]] std::span<const double> learned_rewards() const override { return rollout_.rewards; }
  [[nodiscard]] std::span<const char> cut_steps() const override { return rollout_.cut; }

 protected:
  void save_more(nn::StateWriter& to) const override {
    optimizer_.save(to);
    to.number("epoch", epoch_);
  }
  void load_more(nn::StateReader& from) override {
    optimizer_.load(from);
    epoch_ = from.number("epoch");
  }

 private:
  [[nodiscard]] nn::NamedTensors trained() const {
    nn::NamedTensors all = policy_.parameters();
    all.insert(all.end(), value_.parameters().begin(), value_.parameters().end());
    if (!discrete_) all.emplace_back("log_sd", log_sd_);
    return all;
  }

  [[nodiscard]] double log_sd(std::size_t k) const { return nn::floats_of(log_sd_)[k]; }

  [[nodiscard]] double log_probability(std::span<const float> out, std::span<const double> action) const {
    if (discrete_) return Categorical(out).log_probability(static_cast<std::size_t>(action[0]));
    double sum = 0;
    for (std::size_t k = 0; k < out.size(); ++k)
      sum += log_density((action[k] - out[k]) / std::exp(log_sd(k)), log_sd(k));
    return sum;
  }

  /// Draws the action of environment i, as it is learned from; a normal one is not yet within bounds.
  void draw(std::span<const float> out, std::size_t i, std::span<double> action) const {
    variance::Stream draws(variance::derive(variance::derive(trial().seed("policy"), "action"), time()), i);
    if (discrete_) {
      action[0] = static_cast<double>(Categorical(out).chosen(variance::uniform(draws.next())));
      return;
    }
    for (std::size_t k = 0; k < out.size(); ++k)
      action[k] = out[k] + std::exp(log_sd(k)) * variance::normal(draws.next());
  }

  void collect() {
    RETRIAL_OPERATION("inference");
    const at::NoGradGuard no_gradient;
    const std::size_t n = environments().count(), steps = static_cast<std::size_t>(settings().rollout),
                      width = action_width();
    rollout_ = {};
    std::vector<double> drawn(n * width), executed(n * width);
    for (std::size_t t = 0; t < steps; ++t) {
      const at::Tensor rows = seen(environments().observations()), out = nn::on_host(policy_(rows)),
                       values = nn::on_host(value_(rows));
      const auto observed = nn::floats_of(rows);
      rollout_.observations.insert(rollout_.observations.end(), observed.begin(), observed.end());
      for (std::size_t i = 0; i < n; ++i) {
        const auto action = std::span(drawn).subspan(i * width, width);
        draw(row_of(out, i), i, action);
        rollout_.log_probabilities.push_back(log_probability(row_of(out, i), action));
        rollout_.values.push_back(row_of(values, i)[0]);
      }
      rollout_.actions.insert(rollout_.actions.end(), drawn.begin(), drawn.end());
      const double bound = description().actions.bound;
      for (std::size_t k = 0; k < drawn.size(); ++k)
        executed[k] = discrete_ ? drawn[k] : std::isfinite(drawn[k]) ? std::clamp(drawn[k], -bound, bound) : 0;
      std::vector<double> rewards = stepped(executed);
      add_cut_values(rewards);
      rollout_.rewards.insert(rollout_.rewards.end(), rewards.begin(), rewards.end());
      for (const rlenv::Step& step : environments().steps()) {
        rollout_.ended.push_back(step.ends() ? 1 : 0);
        rollout_.cut.push_back(step.truncated && !step.terminated ? 1 : 0);
      }
    }
    estimate();
  }

  /// An episode that the time limit cut goes on for the learner: the value of its last observation is part of the
  /// reward, and the next step is of another episode.
  void add_cut_values(std::vector<double>& rewards) const {
    if (cuts_are_ends()) return;
    const std::size_t width = description().observations;
    for (std::size_t i = 0; i < rewards.size(); ++i) {
      const rlenv::Step& step = environments().steps()[i];
      if (!step.truncated || step.terminated) continue;
      const at::Tensor last = seen(environments().final_observations().subspan(i * width, width));
      rewards[i] += settings().gamma * static_cast<double>(row_of(nn::on_host(value_(last)), 0)[0]);
    }
  }

  void estimate() {
    const std::size_t n = environments().count(), steps = static_cast<std::size_t>(settings().rollout);
    const at::Tensor next = nn::on_host(value_(seen(environments().observations())));
    rollout_.advantages.resize(n * steps);
    rollout_.returns.resize(n * steps);
    std::vector<double> rewards(steps), values(steps);
    const std::unique_ptr<bool[]> ended(new bool[steps]);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t t = 0; t < steps; ++t) {
        rewards[t] = rollout_.rewards[t * n + i];
        values[t] = rollout_.values[t * n + i];
        ended[t] = rollout_.ended[t * n + i] != 0;
      }
      const auto found = advantages(rewards, values, {ended.get(), steps}, row_of(next, i)[0], settings().gamma,
                                    settings().gae_lambda);
      for (std::size_t t = 0; t < steps; ++t) {
        rollout_.advantages[t * n + i] = found[t];
        rollout_.returns[t * n + i] = found[t] + values[t];
      }
    }
  }

  /// One pass in minibatches, which cover every row once. False: the training is over.
  bool pass_over(Recorder& recorder, double rate) {
    RETRIAL_OPERATION("backprop");
    const std::size_t rows = rollout_.rewards.size(),
                      batch = clips_ ? static_cast<std::size_t>(settings().batch) : rows;
    std::vector<std::uint32_t> order(rows);
    if (clips_)
      order = variance::permutation(variance::derive(variance::derive(trial().seed("data-order"), "order"), epoch_++),
                                    static_cast<std::uint32_t>(rows));
    else
      for (std::size_t i = 0; i < rows; ++i) order[i] = static_cast<std::uint32_t>(i);
    for (std::size_t from = 0; from < rows; from += batch) {
      const double loss = update(std::span(order).subspan(from, batch), rate);
      if (!after_step(recorder, loss)) return false;
    }
    return true;
  }

  double update(std::span<const std::uint32_t> rows, double rate) {
    const std::size_t n = rows.size(), width = description().observations, actions = action_width();
    std::vector<float> observations(n * width);
    std::vector<double> gains(n);
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(rollout_.observations.begin() + static_cast<std::ptrdiff_t>(rows[i] * width), width,
                  observations.begin() + static_cast<std::ptrdiff_t>(i * width));
      gains[i] = rollout_.advantages[rows[i]];
    }
    if (clips_) gains = normalised(gains);
    const at::Tensor input = matrix_of(observations, width), choice = policy_(input), judgment = value_(input),
                     out = nn::on_host(choice), values = nn::on_host(judgment);
    std::vector<float> by_output(n * outputs_), by_value(n), by_log_sd(discrete_ ? 0 : outputs_);
    const double share = 1 / static_cast<double>(n);
    double loss = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = row_of(out, i);
      const auto action = std::span(rollout_.actions).subspan(rows[i] * actions, actions);
      const auto gradient = std::span(by_output).subspan(i * outputs_, outputs_);
      loss +=
          share * policy_loss(row, action, rollout_.log_probabilities[rows[i]], gains[i], share, gradient, by_log_sd);
      const double value = row_of(values, i)[0], target = rollout_.returns[rows[i]];
      const Loss error = clips_ && settings().clip_value
                             ? clipped_value_loss(value, rollout_.values[rows[i]], target, clip_)
                             : value_loss(value, target);
      loss += share * settings().value_weight * error.value;
      by_value[i] = static_cast<float>(share * settings().value_weight * error.slope);
    }
    descend(choice, by_output);
    descend(judgment, by_value);
    if (!discrete_) log_sd_.mutable_grad() = matrix_of(by_log_sd, outputs_).view({-1});
    optimizer_.step(rate, settings().max_norm);
    return loss;
  }

  /// The policy's part of the loss of one row; adds `share` of its gradient.
  double policy_loss(std::span<const float> out, std::span<const double> action, double old_log_probability,
                     double gain, double share, std::span<float> gradient, std::span<float> by_log_sd) {
    const double entropy_weight = settings().entropy_weight;
    const double now = log_probability(out, action), log_ratio = now - old_log_probability;
    log_ratios_.push_back(log_ratio);
    const Loss surrogate = clips_ ? clipped_surrogate(log_ratio, gain, clip_) : plain_surrogate(now, gain);
    if (discrete_) {
      const Categorical choices(out);
      choices.add_gradient(static_cast<std::size_t>(action[0]), share * surrogate.slope, -share * entropy_weight,
                           gradient);
      return surrogate.value - entropy_weight * choices.entropy();
    }
    double entropy = 0;
    for (std::size_t k = 0; k < out.size(); ++k) {
      const double sd = std::exp(log_sd(k)), z = (action[k] - out[k]) / sd;
      gradient[k] += static_cast<float>(share * surrogate.slope * z / sd);
      by_log_sd[k] += static_cast<float>(share * (surrogate.slope * (z * z - 1) - entropy_weight));
      entropy += entropy_of_normal(log_sd(k));
    }
    return surrogate.value - entropy_weight * entropy;
  }

  bool clips_, discrete_;
  std::size_t outputs_;
  Network policy_, value_;
  at::Tensor log_sd_;
  AdaptiveOptimizer optimizer_;
  Rollout rollout_;
  std::vector<double> log_ratios_;
  std::uint64_t epoch_ = 0;
  double clip_ = 0;
};

}  // namespace

std::unique_ptr<Learner> on_policy_learner(const Trial& trial, const Place& place) {
  return std::make_unique<OnPolicy>(trial, place);
}

}  // namespace retrial::rl::inline agents
