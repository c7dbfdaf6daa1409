#include "workloads/nn/training_torch.hpp"

#include <ATen/TensorOperators.h>

#include <cmath>
#include <stdexcept>

namespace retrial::nn {
namespace {

std::span<float> floats_of(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

/// Adds the weighted values of one batch to the sums of the epoch; returns the batch's objective.
double account(EpochReport& report, const std::vector<Term>& terms, std::int64_t samples) {
  double total = 0;
  for (const Term& term : terms) {
    const double value = term.weight * term.value.item().toDouble();
    total += value;
    auto place = report.terms.begin();
    while (place != report.terms.end() && place->first != term.name) ++place;
    if (place == report.terms.end()) place = report.terms.insert(place, {std::string(term.name), 0.0});
    place->second += value * static_cast<double>(samples);
  }
  report.loss += total * static_cast<double>(samples);
  return total;
}

/// A weight of 1 multiplies nothing, so that a method with one term of weight 1 is that loss to the bit.
at::Tensor weighted_sum(const std::vector<Term>& terms) {
  at::Tensor sum;
  for (const Term& term : terms) {
    const at::Tensor part = term.weight == 1 ? term.value : term.value * term.weight;
    sum = sum.defined() ? sum + part : part;
  }
  return sum;
}

void divide(EpochReport& report, std::int64_t samples) {
  report.loss /= static_cast<double>(samples);
  for (auto& [name, sum] : report.terms) sum /= static_cast<double>(samples);
}

}  // namespace

Training::Training(Model& model, Samples samples, Protocol protocol, TrainingSeeds seeds)
    : model_(model),
      samples_(std::move(samples)),
      protocol_(std::move(protocol)),
      seeds_(seeds),
      rates_(learning_rates(protocol_.schedule, static_cast<int>(protocol_.epochs))) {
  for (const auto& [name, tensor] : model_.parameters()) velocity_.emplace_back(tensor.numel(), 0.0F);
}

/// The objective of one batch: one pass, or a clean and an augmented one whose terms share the mix.
std::vector<Term> Training::terms_of(std::int64_t batch, const Objective& objective) {
  BatchView view{.images = {},
                 .labels = samples_.labels(batch),
                 .places = samples_.places(batch),
                 .pass = {.training = true, .dropout = {}}};
  if (protocol_.dropout > 0)
    view.pass.dropout = Dropout{protocol_.dropout, seeds_.dropout, static_cast<std::uint64_t>(step_)};
  const double mix = protocol_.augmentation == nullptr ? 0 : protocol_.mix;
  std::vector<Term> terms;
  const auto add_pass = [&](const at::Tensor& images, double share) {
    view.images = images;
    for (Term& term : objective(view)) terms.push_back({term.name, term.weight * share, std::move(term.value)});
  };
  if (mix < 1) add_pass(samples_.images(batch), 1 - mix);
  if (mix > 0) {
    const auto key =
        data::augmentation_key(seeds_.augmentation, *protocol_.augmentation, static_cast<std::uint64_t>(epoch_));
    add_pass(samples_.augmented(batch, *protocol_.augmentation, key), mix);
  }
  return terms;
}

void Training::update() {
  const double rate = rates_[static_cast<std::size_t>(epoch_)];
  for (std::size_t i = 0; i < velocity_.size(); ++i) {
    const at::Tensor& parameter = model_.parameters()[i].second;
    const at::Tensor gradient = parameter.grad().contiguous();
    sgd_step(floats_of(parameter), floats_of(gradient), velocity_[i], rate, protocol_.sgd);
    parameter.mutable_grad().reset();
  }
}

EpochReport Training::epoch(const Objective& objective, const std::function<void(std::int64_t)>& after_step) {
  EpochReport report;
  samples_.begin_epoch(seeds_.order, static_cast<std::uint64_t>(epoch_));
  for (std::int64_t batch = 0; batch < samples_.batches(); ++batch) {
    const std::vector<Term> terms = terms_of(batch, objective);
    if (!std::isfinite(account(report, terms, static_cast<std::int64_t>(samples_.places(batch).size())))) {
      report.diverged_at = step_;
      over_ = true;
      break;
    }
    weighted_sum(terms).backward();
    update();
    after_step(++step_);
  }
  divide(report, samples_.count());
  ++epoch_;
  return report;
}

void save_tensors(StateWriter& to, const NamedTensors& tensors) {
  for (const auto& [name, tensor] : tensors) to.bytes(name, std::as_bytes(floats_of(tensor)));
}

void load_tensors(StateReader& from, const NamedTensors& tensors) {
  for (const auto& [name, tensor] : tensors) from.bytes(name, std::as_writable_bytes(floats_of(tensor)));
}

void Training::save(StateWriter& to) const {
  to.number("epoch", static_cast<std::uint64_t>(epoch_));
  to.number("step", static_cast<std::uint64_t>(step_));
  to.number("over", over_ ? 1 : 0);
  save_tensors(to, model_.tensors());
  for (const auto& velocity : velocity_) to.bytes("velocity", std::as_bytes(std::span(velocity)));
}

void Training::load(StateReader& from) {
  epoch_ = static_cast<std::int64_t>(from.number("epoch"));
  step_ = static_cast<std::int64_t>(from.number("step"));
  over_ = from.number("over") != 0;
  load_tensors(from, model_.tensors());
  for (auto& velocity : velocity_) from.bytes("velocity", std::as_writable_bytes(std::span(velocity)));
}

}  // namespace retrial::nn
