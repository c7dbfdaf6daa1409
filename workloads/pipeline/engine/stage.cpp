#include "workloads/pipeline/engine/stage.hpp"

#include <algorithm>

#include "variance/random/rng.hpp"
#include "workloads/pipeline/arithmetic/kernels.hpp"

namespace retrial::pipeline::inline engine {

template <typename Real>
Stage<Real>::Stage(const Method& method, const Layer& layer, std::int64_t stage, const Program& program,
                   const std::vector<double>& initial, const StageMath<Real>& math)
    : method_(method),
      math_(math),
      layer_(layer),
      stage_(stage),
      program_(program),
      guard_(method.guard, stage_name(stage) + ".weight"),
      semantics_(rule_of(method.semantics)),
      corrector_(rule_of(method.corrector)),
      keeps_forward_weights_(method.keeps_forward_weights() || (math.rebuilds() && method.keeps_to_rebuild(stage))),
      optimizer_(optimizer_state<Real>(method.optimizer, initial.size())),
      slots_(static_cast<std::size_t>(semantics_.drains ? program.microbatches : program.delay + 1)) {
  weights_.assign(initial.begin(), initial.end());
  const std::int64_t late = method.lateness(stage);
  if (method.microbatches > 1) gradient_.assign(weights_.size(), Real{0});
  if (corrector_.predictor == Predictor::difference && late > 0) previous_ = weights_;
  if (method.corrector == Corrector::pipemare && late > 0) mean_step_.assign(weights_.size(), Real{0});
  if (semantics_.forward_lags) history_.resize(static_cast<std::size_t>(late));
}

template <typename Real>
void Stage<Real>::forward(Item<Real>& input, Item<Real>& output, Workspace<Real>& work) {
  const std::int64_t unit = forwards_;
  Slot& slot = slot_of(unit);
  slot.ended = ended_ || input.empty();
  std::swap(slot.input, input);
  if (slot.ended) {
    output.clear();
  } else {
    const Read read = weights_for_forward(slot, work);
    slot.version = read.version;
    slot.receipt = guard_.at_forward(static_cast<std::uint64_t>(read.version), std::as_bytes(std::span(*read.weights)));
    output.resize(static_cast<std::size_t>(method_.batch * layer_.out));
    math_.forward(layer_, *read.weights, slot.input, slot.kept, output);
    if (semantics_.recomputes) slot.kept.graph.reset();
    if (observer) tell(seen(read, unit, false), 0);
    if (method_.dropout > 0 && stage_ + 1 < method_.stages()) drop(unit, slot, output);
  }
  ++forwards_;
}

template <typename Real>
void Stage<Real>::backward(Item<Real>& gradient, Item<Real>& input_gradient, Workspace<Real>& work) {
  const std::int64_t unit = backwards_++;
  Slot& slot = slot_of(unit);
  ended_ = ended_ || gradient.empty();
  input_gradient.clear();
  if (ended_) return;
  const Read read = weights_for_backward(slot, unit, work);
  if (semantics_.equal_weights)
    guard_.at_backward(slot.receipt, static_cast<std::uint64_t>(read.version), std::as_bytes(std::span(*read.weights)),
                       sample_of(unit));
  ++delays_[version_ - slot.version];
  if (read.version != slot.version) ++counters_.other_weights;
  if (semantics_.backward_as_forward && read.version != version_) ++counters_.stale_stash_reads;
  const PassRead pass = seen(read, unit, true);
  for (std::size_t i = 0; i < slot.mask.size(); ++i) gradient[i] *= slot.mask[i];
  if (semantics_.recomputes) {
    Item<Real> unused(gradient.size());
    math_.forward(layer_, *read.weights, slot.input, slot.kept, unused);
  }
  if (stage_ > 0) input_gradient.resize(slot.input.size());
  std::vector<Real>& sum = method_.microbatches > 1 ? gradient_ : work.gradient;
  if (unit % method_.microbatches == 0) sum.assign(weights_.size(), Real{0});
  math_.backward(layer_, *read.weights, slot.input, slot.kept, gradient, input_gradient, sum);
  const double lr = (unit + 1) % method_.microbatches == 0 ? update(slot, unit, sum, work.weights) : 0;
  if (observer) tell(pass, lr);
}

template <typename Real>
PassRead Stage<Real>::seen(const Read& read, std::int64_t unit, bool backward) const {
  return {.unit = unit,
          .backward = backward,
          .version = read.version,
          .digest = observer ? WeightGuard::digest_of(std::as_bytes(std::span(*read.weights))) : 0};
}

template <typename Real>
void Stage<Real>::tell(PassRead pass, double lr) {
  pass.lr = lr, pass.updates = version_, pass.weights = WeightGuard::digest_of(std::as_bytes(std::span(weights_)));
  observer(pass);
}

template <typename Real>
void Stage<Real>::evaluate(const Item<Real>& x, Item<Real>& y) const {
  Kept<Real> kept;
  y.resize(x.size() / static_cast<std::size_t>(layer_.in) * static_cast<std::size_t>(layer_.out));
  math_.forward(layer_, weights_, x, kept, y);
}

template <typename Real>
typename Stage<Real>::Read Stage<Real>::history(std::int64_t version) const {
  return {version == version_ ? &weights_ : &history_[static_cast<std::size_t>(version) % history_.size()], version};
}

template <typename Real>
typename Stage<Real>::Read Stage<Real>::weights_for_forward(Slot& slot, Workspace<Real>& work) {
  if (semantics_.forward_lags)
    return history(std::max(std::int64_t{0}, forwards_ / method_.microbatches - method_.lateness(stage_)));
  slot.weights.clear();
  const double horizon = forward_horizon();
  if (horizon == 0) return {&weights_, version_};
  std::vector<Real>& made = keeps_forward_weights_ ? slot.weights : work.weights;
  predict(horizon, forwards_, made);
  return {&made, version_};
}

template <typename Real>
typename Stage<Real>::Read Stage<Real>::weights_for_backward(const Slot& slot, std::int64_t unit,
                                                             Workspace<Real>& work) {
  if (semantics_.backward_as_forward)
    return semantics_.forward_lags ? history(slot.version) : Read{&weights_of_forward(slot), slot.version};
  if (method_.corrector == Corrector::spectrain)
    if (const std::int64_t horizon = spectrain_horizon(method_.delay_model, stage_); horizon > 0) {
      predict(static_cast<double>(horizon), unit, work.weights);
      return {&work.weights, version_};
    }
  const std::int64_t delay = method_.lateness(stage_);
  if (method_.corrector == Corrector::pipemare && delay > 0) {
    work.weights = weights_;
    add_scaled<Real>(work.weights, -static_cast<Real>(delay), mean_step_);
    ++counters_.corrected_reads;
    return {&work.weights, version_};
  }
  return {&weights_, version_};
}

template <typename Real>
double Stage<Real>::forward_horizon() const {
  if (corrector_.predictor == Predictor::none) return 0;
  const std::int64_t delay = method_.lateness(stage_);
  if (method_.corrector == Corrector::spectrain)
    return static_cast<double>(delay + spectrain_horizon(method_.delay_model, stage_));
  return method_.horizon * static_cast<double>(method_.measured_delay ? forwards_ - backwards_ : delay);
}

template <typename Real>
void Stage<Real>::predict(double horizon, std::int64_t unit, std::vector<Real>& to) {
  ++counters_.predicted_reads;
  to.resize(weights_.size());
  const double lr = method_.rate(stage_, unit);
  const std::vector<Real>& direction = optimizer_.last_direction();
  if (corrector_.predictor == Predictor::velocity)
    predict_velocity<Real>(weights_, direction, lr, horizon, to);
  else
    predict_difference<Real>(weights_, previous_, horizon, to);
}

template <typename Real>
void Stage<Real>::drop(std::int64_t unit, Slot& slot, Item<Real>& output) const {
  const std::uint64_t key = variance::derive(variance::derive(method_.dropout_seed, stage_name(stage_)), "mask");
  const auto kept = static_cast<Real>(1 / (1 - method_.dropout));
  slot.mask.resize(output.size());
  for (std::int64_t row = 0; row < method_.batch; ++row) {
    const std::uint64_t of_sample = variance::derive(key, static_cast<std::uint64_t>(sample_of(unit) + row));
    for (std::int64_t j = 0; j < layer_.out; ++j) {
      const auto i = static_cast<std::size_t>(row * layer_.out + j);
      const bool keep =
          variance::keep(variance::block(of_sample, static_cast<std::uint64_t>(j), 0)[0], method_.dropout);
      slot.mask[i] = keep ? kept : Real{0};
      output[i] *= slot.mask[i];
    }
  }
}

template <typename Real>
double Stage<Real>::update(Slot& slot, std::int64_t unit, std::vector<Real>& gradient, std::vector<Real>& before) {
  if (method_.microbatches > 1)
    for (Real& g : gradient) g /= static_cast<Real>(method_.microbatches);
  const double lr = method_.rate(stage_, unit);
  if (pipemare_rate(method_.delays[static_cast<std::size_t>(stage_)], method_.first_sample(unit),
                    method_.pipemare_samples) != 1)
    ++counters_.scaled_rates;
  correct_gradient(slot, gradient);
  keep_weights(slot);
  if (!mean_step_.empty()) before = weights_;
  if (method_.weight_decay > 0 && method_.decoupled_decay)
    for (Real& w : weights_) w *= static_cast<Real>(1 - lr * method_.weight_decay);
  step(lr, spike_for(version_ - slot.version), gradient);
  if (!mean_step_.empty()) {
    const double gamma = pipemare_gamma(method_.pipemare_decay, method_.lateness(stage_));
    const auto old = static_cast<Real>(gamma), fresh = static_cast<Real>(1 - gamma);
    for (std::size_t i = 0; i < weights_.size(); ++i)
      mean_step_[i] = old * mean_step_[i] + fresh * (weights_[i] - before[i]);
  }
  ++version_;
  return lr;
}

template <typename Real>
void Stage<Real>::correct_gradient(const Slot& slot, std::vector<Real>& gradient) {
  if (method_.corrector == Corrector::dc_asgd) {
    const auto lambda = static_cast<Real>(method_.dc_lambda);
    if (slot.version != version_ && method_.dc_lambda != 0) ++counters_.compensated_updates;
    const std::vector<Real>& old = weights_of_forward(slot);
    for (std::size_t i = 0; i < gradient.size(); ++i)
      gradient[i] += lambda * gradient[i] * gradient[i] * (weights_[i] - old[i]);
  }
  if (method_.weight_decay > 0 && !method_.decoupled_decay)
    add_scaled<Real>(gradient, static_cast<Real>(method_.weight_decay), weights_);
}

template <typename Real>
SpikeCoefficients Stage<Real>::spike_for(std::int64_t measured) {
  SpikeCoefficients made;
  if (method_.corrector == Corrector::gsc) made = {method_.gsc_a, method_.gsc_b};
  if (corrector_.spikes) {
    const std::int64_t delay = spike_delay(method_.measured_delay ? measured : method_.lateness(stage_), method_.spike);
    const auto [known, fresh] = spikes_.try_emplace(delay);
    if (fresh) known->second = sc_coefficients(method_.rates.momentum, delay);
    made = known->second;
  }
  if (made.a != 1 || made.b != 0) ++counters_.spiked_updates;
  return made;
}

template <typename Real>
void Stage<Real>::step(double lr, const SpikeCoefficients& spike, const std::vector<Real>& gradient) {
  switch (method_.optimizer) {
    case Optimizer::sgdm:
      return apply_update<Real>(weights_, optimizer_.velocity, gradient, method_.rates.momentum, lr, spike);
    case Optimizer::adam:
      return adam_step<Real>(weights_, optimizer_, gradient, lr, version_);
    case Optimizer::muon:
      return muon_step<Real>(layer_, weights_, optimizer_, gradient, method_.rates.momentum, lr);
  }
}

/// Before the weights change: for those who read them later. The buffer of the sample that is done goes to the next
/// one.
template <typename Real>
void Stage<Real>::keep_weights(Slot& done) {
  if (!history_.empty()) history_[static_cast<std::size_t>(version_) % history_.size()] = weights_;
  if (!previous_.empty()) previous_ = weights_;
  for (std::int64_t unit = backwards_; keeps_forward_weights_ && unit < forwards_; ++unit)
    if (Slot& slot = slot_of(unit); slot.weights.empty()) {
      slot.weights.swap(done.weights);
      slot.weights = weights_;
    }
}

template class Stage<float>;
template class Stage<double>;

}  // namespace retrial::pipeline::inline engine
