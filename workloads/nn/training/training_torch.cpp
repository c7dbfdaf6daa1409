#include "workloads/nn/training/training_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>

#include <stdexcept>

#include "workloads/nn/gpu/kernels.hpp"
#include "workloads/nn/training/epoch_sums_torch.hpp"
#include "workloads/profiler/recording/annotation.hpp"
#include "workloads/profiler/rules/health_watch.hpp"

namespace retrial::nn::inline training {
namespace {

void divide(EpochReport& report, std::int64_t samples) {
  report.loss /= static_cast<double>(samples);
  for (auto& [name, sum] : report.terms) sum /= static_cast<double>(samples);
}

}  // namespace

at::Device training_device(const workloads::Place& place) {
  const at::Device named(place.device);
  if (named.is_cpu()) return named;
  if (device_kernels() == nullptr)
    throw workloads::TrialFailure("cuda.no_kernels", "this worker was built without kernels for " + place.device);
  return {named.type(), 0};
}

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
      sums_(epoch_sums(protocol_.device, trainee_.kept)) {
  move_to(trainee_.trained, protocol_.device);
  move_to(trainee_.kept, protocol_.device);
  optimizer_ = protocol_.optimizer(trainee_.trained, protocol_.sgd);
  optimizer_->obey(sums_->proceed());
}

Training::Training(Training&&) noexcept = default;
Training::~Training() = default;

/// The objective of one batch: one pass, or a clean and an augmented one whose terms share the mix.
std::vector<Term> Training::terms_of(std::int64_t batch, const Objective& objective) {
  BatchView view{.images = {},
                 .labels = samples_.labels(batch),
                 .index = samples_.index(batch),
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
  optimizer_->hold_at_zero(masks);
}

Shares Training::shares(const Objective& objective, const NamedTensors& parameters) {
  samples_.begin_epoch(seeds_.order, static_cast<std::uint64_t>(life_epoch()));
  return shares_of(terms_of(0, objective), parameters, trainee_.trained);
}

Training::Norms Training::gradient_norms(const std::vector<Term>& terms) const {
  Norms norms;
  for (const Share& share : shares_of(terms, watched_, trainee_.trained).terms)
    norms.emplace_back(share.name, share.norm());
  return norms;
}

EpochReport Training::epoch(const Objective& objective, const std::function<void(std::int64_t)>& after_step) {
  samples_.begin_epoch(seeds_.order, static_cast<std::uint64_t>(life_epoch()));
  sums_->begin();
  Norms norms;
  std::int64_t seen = 0;
  for (std::int64_t batch = 0; batch < samples_.batches() && !cut(); ++batch) {
    const std::vector<Term> terms = terms_of(batch, objective);
    const auto rows = static_cast<std::int64_t>(samples_.places(batch).size());
    seen += rows;
    if (!sums_->add(terms, rows, step_)) break;
    if (batch == 0 && !watched_.empty()) norms = gradient_norms(terms);
    {
      RETRIAL_OPERATION("step");
      optimizer_->step(terms, rates_[static_cast<std::size_t>(epoch_)]);
    }
    ++step_;
    if (after_step) {
      if (sums_->ended()) break;
      after_step(step_);
    }
    if (profiler::health_is_watched()) profiler::gradient_step_made(step_, objective_of(terms));
  }
  EpochReport report = sums_->report();
  report.gradient_norms = std::move(norms);
  over_ = report.diverged_at.has_value();
  step_ = report.diverged_at.value_or(step_);
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
  for (const auto& [name, tensor] : tensors) to.bytes(name, bytes_of(on_host(tensor)));
}

void load_tensors(StateReader& from, const NamedTensors& tensors) {
  const at::NoGradGuard no_gradient;
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor on_host = tensor.is_cpu() ? tensor : at::empty(tensor.sizes(), tensor.scalar_type());
    from.bytes(name, bytes_of(on_host));
    if (!tensor.is_cpu()) tensor.copy_(on_host);
  }
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
  for (const auto& velocities : optimizer_->velocities())
    for (const auto& velocity : velocities) save_tensors(to, {{"velocity", velocity}});
}

void Training::load(StateReader& from) {
  epoch_ = static_cast<std::int64_t>(from.number("epoch"));
  step_ = static_cast<std::int64_t>(from.number("step"));
  over_ = from.number("over") != 0;
  load_tensors(from, trainee_.trained);
  load_tensors(from, trainee_.kept);
  for (const auto& velocities : optimizer_->velocities())
    for (const auto& velocity : velocities) load_tensors(from, {{"velocity", velocity}});
}

}  // namespace retrial::nn::inline training
