#include "workloads/nn/training/training_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>

#include <bit>
#include <cmath>
#include <stdexcept>

#include "workloads/interface/trial/trial.hpp"
#include "workloads/profiler/recording/annotation.hpp"
#include "workloads/profiler/rules/health_watch.hpp"

namespace retrial::nn::inline training {
namespace {

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

void divide(EpochReport& report, std::int64_t samples) {
  report.loss /= static_cast<double>(samples);
  for (auto& [name, sum] : report.terms) sum /= static_cast<double>(samples);
}

}  // namespace

Objective labels_alone(const Model& model) {
  return [&model](const BatchView& batch) {
    return std::vector<Term>{
        {"ce", 1, at::cross_entropy_loss(model.forward(batch.images, batch.pass).logits, batch.labels)}};
  };
}

Training::Training(const Model& model, Samples samples, Protocol protocol, TrainingSeeds seeds)
    : Training(Trainee{model.parameters(), model.buffers()}, std::move(samples), std::move(protocol), seeds) {}

Training::Training(Trainee trainee, Samples samples, Protocol protocol, TrainingSeeds seeds)
    : trainee_(std::move(trainee)),
      samples_(std::move(samples)),
      protocol_(std::move(protocol)),
      seeds_(seeds),
      rates_(learning_rates(protocol_.schedule, static_cast<int>(protocol_.epochs))),
      optimizer_(protocol_.optimizer(trainee_.trained, protocol_.sgd)) {}

/// The objective of one batch: one pass, or a clean and an augmented one whose terms share the mix.
std::vector<Term> Training::terms_of(std::int64_t batch, const Objective& objective) {
  BatchView view{.images = {},
                 .labels = samples_.labels(batch),
                 .places = samples_.places(batch),
                 .pass = {.training = true, .dropout = {}},
                 .epoch = life_epoch()};
  if (protocol_.dropout > 0)
    view.pass.dropout = Dropout{protocol_.dropout, seeds_.dropout, static_cast<std::uint64_t>(life_step())};
  const double mix = protocol_.augmentation == nullptr ? 0 : protocol_.mix;
  std::vector<Term> terms;
  const auto add_pass = [&](const at::Tensor& images, double share) {
    view.images = images;
    RETRIAL_OPERATION("forward");
    for (Term& term : objective(view)) terms.push_back({term.name, term.weight * share, std::move(term.value)});
  };
  const auto prepared = [](const auto& images) {
    RETRIAL_OPERATION("data");
    return images();
  };
  if (mix < 1) add_pass(prepared([&] { return samples_.images(batch); }), 1 - mix);
  if (mix > 0) {
    const auto key =
        data::augmentation_key(seeds_.augmentation, *protocol_.augmentation, static_cast<std::uint64_t>(life_epoch()));
    add_pass(prepared([&] { return samples_.augmented(batch, *protocol_.augmentation, key); }), mix);
  }
  return terms;
}

void Training::hold_at_zero(const std::vector<std::vector<std::uint8_t>>& masks) {
  masks_.clear();
  for (const auto& mask : masks) {
    std::vector<std::uint32_t>& bits = masks_.emplace_back();
    for (const std::uint8_t live : mask) bits.push_back(live != 0 ? ~std::uint32_t{0} : 0);
  }
  clear_masked();
}

namespace {

/// By multiplication a NaN would survive. Bits of the width of a float: a comparison with bytes is not vectorised and
/// took a tenth of a step of a small network.
void clear(std::span<float> values, const std::vector<std::uint32_t>& mask) {
  float* const at = values.data();
  const std::uint32_t* const bits = mask.data();
  for (std::size_t e = 0; e < values.size(); ++e)
    at[e] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(at[e]) & bits[e]);
}

}  // namespace

void Training::clear_masked() {
  for (std::size_t i = 0; i < masks_.size(); ++i) {
    if (masks_[i].empty()) continue;
    clear(floats_of(trainee_.trained[i].second), masks_[i]);
    for (auto& velocity : optimizer_->velocities()) clear(velocity[i], masks_[i]);
  }
}

Shares Training::shares(const Objective& objective, const NamedTensors& parameters) {
  samples_.begin_epoch(seeds_.order, static_cast<std::uint64_t>(life_epoch()));
  return shares_of(terms_of(0, objective), parameters, trainee_.trained);
}

void Training::note_gradients(EpochReport& report, const std::vector<Term>& terms) const {
  for (const Share& share : shares_of(terms, watched_, trainee_.trained).terms)
    report.gradient_norms.emplace_back(share.name, share.norm());
}

EpochReport Training::epoch(const Objective& objective, const std::function<void(std::int64_t)>& after_step) {
  EpochReport report;
  samples_.begin_epoch(seeds_.order, static_cast<std::uint64_t>(life_epoch()));
  std::int64_t seen = 0;
  for (std::int64_t batch = 0; batch < samples_.batches() && !cut(); ++batch) {
    const std::vector<Term> terms = terms_of(batch, objective);
    const auto rows = static_cast<std::int64_t>(samples_.places(batch).size());
    seen += rows;
    const double loss = account(report, terms, rows);
    if (!std::isfinite(loss)) {
      report.diverged_at = step_;
      over_ = true;
      break;
    }
    if (batch == 0 && !watched_.empty()) note_gradients(report, terms);
    {
      RETRIAL_OPERATION("step");
      optimizer_->step(terms, rates_[static_cast<std::size_t>(epoch_)]);
      clear_masked();
    }
    after_step(++step_);
    profiler::gradient_step_made(step_, loss);
  }
  divide(report, cut() ? seen : samples_.count());
  ++epoch_;
  return report;
}

namespace {

/// Buffers of a script need not be floats.
std::span<std::byte> bytes_of(const at::Tensor& tensor) {
  return {static_cast<std::byte*>(tensor.mutable_data_ptr()), tensor.nbytes()};
}

}  // namespace

void save_tensors(StateWriter& to, const NamedTensors& tensors) {
  for (const auto& [name, tensor] : tensors) to.bytes(name, bytes_of(tensor));
}

void load_tensors(StateReader& from, const NamedTensors& tensors) {
  for (const auto& [name, tensor] : tensors) from.bytes(name, bytes_of(tensor));
}

namespace {

void save_sized(StateWriter& to, const NamedTensors& tensors) {
  to.number("tensors", tensors.size());
  for (const auto& [name, tensor] : tensors) {
    to.text("tensor", name);
    to.number("type", static_cast<std::uint64_t>(tensor.scalar_type()));
    to.number("dimensions", static_cast<std::uint64_t>(tensor.dim()));
    for (const std::int64_t size : tensor.sizes()) to.number("size", static_cast<std::uint64_t>(size));
    save_tensors(to, {{name, tensor}});
  }
}

constexpr std::uint64_t most_dimensions = 8;

/// No tensor is larger than the network it comes from.
at::Tensor load_sized(StateReader& from, const std::string& name, std::int64_t max_elements) {
  std::vector<std::int64_t> sizes;
  const std::uint64_t type = from.number("type");
  if (type != static_cast<std::uint64_t>(at::kFloat) && type != static_cast<std::uint64_t>(at::kLong))
    throw workloads::TrialFailure("checkpoint.damaged", "the saved state is damaged at the type of " + name);
  const std::uint64_t dimensions = from.number("dimensions");
  std::int64_t elements = 1;
  for (std::uint64_t d = 0; d < dimensions; ++d) {
    sizes.push_back(static_cast<std::int64_t>(from.number("size")));
    if (d >= most_dimensions || sizes.back() < 1 || sizes.back() > max_elements / elements)
      throw workloads::TrialFailure("checkpoint.damaged", "the saved state is damaged at the sizes of " + name);
    elements *= sizes.back();
  }
  at::Tensor tensor = at::empty(sizes, static_cast<at::ScalarType>(type));
  load_tensors(from, {{name, tensor}});
  return tensor;
}

NamedTensors load_all_sized(StateReader& from, std::int64_t max_elements) {
  NamedTensors tensors;
  const std::uint64_t count = from.number("tensors");
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string name = from.text("tensor");
    tensors.emplace_back(name, load_sized(from, name, max_elements));
  }
  return tensors;
}

}  // namespace

void save_network(StateWriter& to, const Model& model) {
  to.number("parameters", static_cast<std::uint64_t>(model.identity().parameters));
  to.number("macs", static_cast<std::uint64_t>(model.identity().macs));
  save_sized(to, model.parameters());
  save_sized(to, model.buffers());
}

std::unique_ptr<Model> load_network(StateReader& from, const Architecture& architecture, const Identity& dense) {
  Identity identity = dense;
  identity.parameters = static_cast<std::int64_t>(from.number("parameters"));
  identity.macs = static_cast<std::int64_t>(from.number("macs"));
  const NamedTensors parameters = load_all_sized(from, dense.parameters),
                     buffers = load_all_sized(from, dense.parameters);
  return rebuilt(architecture, std::move(identity), parameters, buffers);
}

void Training::save(StateWriter& to) const {
  to.number("epoch", static_cast<std::uint64_t>(epoch_));
  to.number("step", static_cast<std::uint64_t>(step_));
  to.number("over", over_ ? 1 : 0);
  save_tensors(to, trainee_.trained);
  save_tensors(to, trainee_.kept);
  for (const auto& velocities : std::as_const(*optimizer_).velocities())
    for (const auto& velocity : velocities) to.bytes("velocity", std::as_bytes(std::span(velocity)));
}

void Training::load(StateReader& from) {
  epoch_ = static_cast<std::int64_t>(from.number("epoch"));
  step_ = static_cast<std::int64_t>(from.number("step"));
  over_ = from.number("over") != 0;
  load_tensors(from, trainee_.trained);
  load_tensors(from, trainee_.kept);
  for (auto& velocities : optimizer_->velocities())
    for (auto& velocity : velocities) from.bytes("velocity", std::as_writable_bytes(std::span(velocity)));
}

}  // namespace retrial::nn::inline training
