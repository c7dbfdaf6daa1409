#include "workloads/rl/agents/learner_torch.hpp"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <numeric>
#include <ostream>

#include "determinism/digest/tensor_digest_torch.hpp"
#include "results/digest/sha256.hpp"
#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/trial/stopwatch.hpp"
#include "workloads/nn/training/training_torch.hpp"
#include "workloads/profiler/recording/annotation.hpp"
#include "workloads/profiler/rules/health_watch.hpp"
#include "workloads/rl/agents/checks_torch.hpp"
#include "workloads/rl/agents/training.hpp"

namespace retrial::rl::inline agents {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial;

/// Iterations are gathered until they have made this many steps.
constexpr std::int64_t steps_per_boundary = 1000;

std::string digest_of(const nn::NamedTensors& tensors) {
  return determinism::hex(determinism::tensor_digest(tensors));
}

}  // namespace

Learner::Learner(const Trial& trial, const Place& place)
    : trial_(trial),
      place_(place),
      settings_(settings_from(trial.values)),
      device_(nn::training_device(place)),
      cuts_are_ends_(trial.text("truncation") == "as_done") {
  const auto count = on_policy(trial.text("algorithm")) ? static_cast<std::size_t>(settings_.envs) : 1;
  environments_ = std::make_unique<rlenv::VectorEnvironment>(trial.text("env"), options_from(trial.values), count,
                                                             rlenv::Autoreset::same_step);
  environments_->reset(trial.seed("environment"));
  running_.resize(count);
  if (settings_.normalise != "none") {
    normaliser_.emplace(description().observations);
    normaliser_->learn(environments_->observations());
  }
  if (settings_.normalise == "obs+reward") scaler_.emplace(count, settings_.gamma);
}

std::size_t Learner::action_width() const {
  return description().actions.dimensions();
}

bool Learner::moves_on_host() const {
  return trial_.flag("adam_host");
}

NetworkShape Learner::shape(std::size_t inputs, std::size_t outputs, double head_gain) const {
  return {.inputs = static_cast<std::int64_t>(inputs),
          .hidden = settings_.hidden,
          .outputs = static_cast<std::int64_t>(outputs),
          .relu = settings_.relu,
          .orthogonal = settings_.orthogonal,
          .head_gain = head_gain};
}

at::Tensor Learner::seen(std::span<const float> observations) const {
  at::Tensor rows = matrix_of(observations, description().observations);
  if (normaliser_) normaliser_->apply(nn::floats_of(rows));
  return rows;
}

std::vector<double> Learner::stepped(std::span<const double> actions) {
  {
    RETRIAL_OPERATION("simulation");
    const profiler::Layer simulator(profiler::Category::simulator);
    environments_->step(actions);
  }
  if (normaliser_) normaliser_->learn(environments_->observations());
  std::vector<double> rewards;
  for (std::size_t i = 0; i < environments_->count(); ++i) {
    const rlenv::Step& step = environments_->steps()[i];
    rewards.push_back(scaler_ ? scaler_->scaled(i, step) : step.reward);
    running_[i] += step.reward;
    if (step.ends()) {
      finished_.push_back(running_[i]);
      running_[i] = 0;
    }
  }
  steps_done_ += static_cast<std::int64_t>(environments_->count());
  ++time_;
  return rewards;
}

double Learner::rate_of(double lr) const {
  const double done = static_cast<double>(steps_done_) / static_cast<double>(settings_.steps);
  return settings_.lr_linear ? lr * std::max(0.0, 1 - done) : lr;
}

bool Learner::after_step(Recorder& recorder, double loss) {
  ++updates_;
  loss_sum_ += loss;
  loss_count_ += 1;
  profiler::gradient_step_made(updates_, loss);
  if (!std::isfinite(loss)) {
    recorder.diverged(updates_ - 1);
    over_ = true;
  }
  if (place_.checksum_every > 0 && updates_ % place_.checksum_every == 0)
    recorder.digest("step_weights", updates_, "psum2", digest_of(tensors()));
  if (place_.max_steps > 0 && updates_ >= place_.max_steps) over_ = true;
  return !over_;
}

double Learner::mean_loss_and_reset() {
  const double mean = loss_sum_ / loss_count_;
  loss_sum_ = loss_count_ = 0;
  return mean;
}

Scores Learner::evaluation(std::size_t starts) const {
  return evaluated(trial_.text("env"), options_from(trial_.values), starts,
                   [this](Environments all, std::uint64_t, std::span<double> actions) {
                     const at::NoGradGuard no_gradient;
                     const std::size_t width = description().observations;
                     std::vector<float> observations(all.size() * width);
                     for (std::size_t i = 0; i < all.size(); ++i)
                       all[i]->observe(std::span(observations).subspan(i * width, width));
                     best_actions(seen(observations), actions);
                   });
}

void Learner::report(Recorder& recorder) {
  recorder.digest("weights", steps_done_, "psum2", digest_of(tensors()));
  if (!finished_.empty())
    recorder.metric("train_return",
                    std::accumulate(finished_.begin(), finished_.end(), 0.0) / static_cast<double>(finished_.size()),
                    steps_done_);
  if (loss_count_ > 0) recorder.metric("loss", mean_loss_and_reset(), steps_done_);
  diagnose(recorder);
  const std::int64_t every = trial_.integer("eval_every"), last = boundary_;
  boundary_ = steps_done_;
  if (every > 0 && steps_done_ / every > last / every)
    recorder.metric("return_at", evaluation(static_cast<std::size_t>(trial_.integer("eval_episodes"))).mean_return(),
                    steps_done_);
  recorder.progress(static_cast<double>(steps_done_) / static_cast<double>(settings_.steps));
  recorder.standing("step " + std::to_string(steps_done_) + " of " + std::to_string(settings_.steps) +
                    (finished_.empty() ? "" : ", return " + report::short_text(finished_.back(), 3)));
  finished_.clear();
}

void Learner::finish(Recorder& recorder) {
  if (place_.max_steps > 0) {  // the steps that a short trial leaves out count as read
    const std::string schedule = std::to_string(settings_.steps);
    recorder.digest("schedule", -1, "sha256", results::hex(results::sha256(std::string_view(schedule))));
  }
  recorder.metric("region_s", seconds_);
  recorder.metric("steps_per_s", static_cast<double>(steps_done_) / seconds_);
  recorder.digest("weights", -1, "psum2", digest_of(tensors()));
  record(evaluation(static_cast<std::size_t>(trial_.integer("eval_episodes"))), recorder);
}

bool Learner::advance(Recorder& recorder) {
  {
    const workloads::Stopwatch running(seconds_);
    RETRIAL_OPERATION("train");
    const std::int64_t until = steps_done_ + steps_per_boundary;
    while (!over() && steps_done_ < until) {
      RETRIAL_OPERATION("iteration");
      iterate(recorder);
    }
  }
  profiler::report_progress(static_cast<std::uint64_t>(std::min(steps_done_, settings_.steps)),
                            static_cast<std::uint64_t>(settings_.steps));
  report(recorder);
  if (!over()) return true;
  finish(recorder);
  return false;
}

void Learner::save(std::ostream& stream) const {
  nn::StateWriter to(stream);
  to.text("rl", trial_.identity);
  environments_->save(to);
  if (normaliser_) normaliser_->save(to);
  if (scaler_) scaler_->save(to);
  for (const double sum : running_) to.real("running", sum);
  to.number("steps", static_cast<std::uint64_t>(steps_done_));
  to.number("updates", static_cast<std::uint64_t>(updates_));
  to.number("boundary", static_cast<std::uint64_t>(boundary_));
  to.number("time", time_);
  to.number("over", over_ ? 1 : 0);
  to.real("seconds", seconds_);
  nn::save_tensors(to, tensors());
  save_more(to);
}

void Learner::load(std::istream& stream) {
  nn::StateReader from(stream);
  if (from.text("rl") != trial_.identity)
    throw workloads::TrialFailure("checkpoint.damaged", "the saved state is of another trial");
  environments_->load(from);
  if (normaliser_) normaliser_->load(from);
  if (scaler_) scaler_->load(from);
  for (double& sum : running_) sum = from.real("running");
  steps_done_ = static_cast<std::int64_t>(from.number("steps"));
  updates_ = static_cast<std::int64_t>(from.number("updates"));
  boundary_ = static_cast<std::int64_t>(from.number("boundary"));
  time_ = from.number("time");
  over_ = from.number("over") != 0;
  seconds_ = from.real("seconds");
  nn::load_tensors(from, tensors());
  load_more(from);
}

std::unique_ptr<Learner> learner_of(const Trial& trial, const Place& place) {
  const std::string& algorithm = trial.text("algorithm");
  if (on_policy(algorithm)) return on_policy_learner(trial, place);
  if (algorithm == "dqn") return q_learner(trial, place);
  return critic_learner(trial, place);
}

namespace {

const RegisterTraining registered{
    [](const Trial& trial, const Place& place) -> std::unique_ptr<workloads::Run> { return learner_of(trial, place); },
    [](const Trial& trial, const Place& place) {
      return examined(trial, [&](const Trial& other) { return learner_of(other, place); });
    }};

}  // namespace
}  // namespace retrial::rl::inline agents
