#include "workloads/nn/layers/model_torch.hpp"

#include <ATen/ops/empty.h>

#include <cmath>
#include <stdexcept>

#include "determinism/digest/tensor_digest_torch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/nn/layers/cnn_torch.hpp"
#include "workloads/nn/layers/mlp_torch.hpp"
#include "workloads/nn/layers/residual_torch.hpp"
#include "workloads/nn/layers/scripted_torch.hpp"

namespace retrial::nn::inline layers {
namespace {

/// Uniform in +-1/sqrt(fan_in), in double, rounded once.
void fill_uniform(float* to, std::int64_t elements, std::int64_t fan_in, std::uint64_t key) {
  const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
  for (std::int64_t e = 0; e < elements; ++e)
    to[e] =
        static_cast<float>(variance::uniform(variance::block(key, static_cast<std::uint64_t>(e), 0)[0], -bound, bound));
}

/// N(0, 2 / fan_out), in double, rounded once (He et al., ICCV 2015).
void fill_normal(float* to, std::int64_t elements, std::int64_t fan_out, std::uint64_t key) {
  const double sd = std::sqrt(2 / static_cast<double>(fan_out));
  for (std::int64_t e = 0; e < elements; ++e)
    to[e] = static_cast<float>(sd * variance::normal(variance::block(key, static_cast<std::uint64_t>(e), 0)[0]));
}

void require_closed_form(const Identity& identity, const NamedTensors& parameters) {
  std::int64_t built = 0;
  for (const auto& [name, tensor] : parameters) built += tensor.numel();
  if (built != identity.parameters)
    throw std::logic_error(identity.name + " has " + std::to_string(built) + " parameters, its closed form has " +
                           std::to_string(identity.parameters));
}

const ScriptFile& script_of(const Architecture& architecture) {
  if (architecture.script == nullptr) throw std::logic_error(architecture.name + " was not read from its file");
  return *architecture.script;
}

}  // namespace

at::Tensor initialised(const TensorSpec& spec, std::uint64_t init_seed) {
  at::Tensor tensor = at::empty(spec.sizes, at::kFloat);
  switch (spec.start) {
    case Start::uniform_fan_in:
      fill_uniform(tensor.data_ptr<float>(), spec.elements(), spec.fan_in, variance::derive(init_seed, spec.name));
      break;
    case Start::he_fan_out:
      fill_normal(tensor.data_ptr<float>(), spec.elements(), spec.fan_out, variance::derive(init_seed, spec.name));
      break;
    case Start::one:
      tensor.fill_(1);
      break;
    case Start::zero:
      tensor.fill_(0);
      break;
  }
  return tensor.requires_grad_(spec.trained);
}

Model::Model(Identity identity, NamedTensors parameters, NamedTensors buffers)
    : identity_(std::move(identity)), parameters_(std::move(parameters)), buffers_(std::move(buffers)) {}

NamedTensors Model::tensors() const {
  NamedTensors all = parameters_;
  all.insert(all.end(), buffers_.begin(), buffers_.end());
  return all;
}

determinism::Psum2 Model::digest() const {
  return determinism::tensor_digest(tensors());
}

void Model::freeze() {
  for (const auto& [name, tensor] : parameters_) tensor.requires_grad_(false);
}

const at::Tensor* Model::find(const std::string& name) const {
  for (const NamedTensors* named : {&parameters_, &buffers_})
    for (const auto& [known, tensor] : *named)
      if (known == name) return &tensor;
  return nullptr;
}

const at::Tensor& Model::tensor(const std::string& name) const {
  if (const at::Tensor* found = find(name)) return *found;
  throw std::logic_error(identity_.name + " has no tensor " + name);
}

at::Tensor Model::basis(const std::string& layer) const {
  const at::Tensor* found = find(layer + ".basis");
  return found == nullptr ? at::Tensor() : *found;
}

void move_to(const NamedTensors& tensors, const at::Device& device) {
  for (const auto& [name, tensor] : tensors)
    if (tensor.device() != device) tensor.set_data(tensor.detach().to(device));
}

at::Device device_of(const Model& model) {
  return model.parameters().front().second.device();
}

std::unique_ptr<Model> assembled(const Architecture& architecture, Identity identity, NamedTensors parameters,
                                 NamedTensors buffers) {
  if (architecture.family != Family::script) require_closed_form(identity, parameters);
  switch (architecture.family) {
    case Family::mlp:
      return std::make_unique<Mlp>(std::move(identity), std::move(parameters), std::move(buffers),
                                   architecture.widths.size());
    case Family::cnn:
      return std::make_unique<Cnn>(std::move(identity), std::move(parameters), std::move(buffers));
    case Family::residual:
      return std::make_unique<ResidualNet>(architecture, std::move(identity), std::move(parameters),
                                           std::move(buffers));
    case Family::script:
      return std::make_unique<Scripted>(std::move(identity), ScriptModule(script_of(architecture)), parameters,
                                        buffers);
  }
  throw std::logic_error("a model family without a class: " + architecture.name);
}

std::unique_ptr<Model> make(const Architecture& architecture, const data::Shape& input, int classes,
                            std::uint64_t init_seed) {
  NamedTensors parameters, buffers;
  if (architecture.family == Family::script)
    return assembled(architecture, closed_form(architecture, input, classes), {}, {});
  for (const TensorSpec& spec : tensors_of(architecture, input, classes))
    (spec.trained ? parameters : buffers).emplace_back(spec.name, initialised(spec, init_seed));
  return assembled(architecture, closed_form(architecture, input, classes), std::move(parameters), std::move(buffers));
}

std::unique_ptr<Model> rebuilt(const Architecture& architecture, Identity identity, const NamedTensors& parameters,
                               const NamedTensors& buffers) {
  const auto copies = [](const NamedTensors& tensors, bool trained) {
    NamedTensors all;
    for (const auto& [name, tensor] : tensors)
      all.emplace_back(name, tensor.detach().to(at::kCPU, tensor.scalar_type(), false, true).requires_grad_(trained));
    return all;
  };
  return assembled(architecture, std::move(identity), copies(parameters, true), copies(buffers, false));
}

std::unique_ptr<Model> copied(const Architecture& architecture, const Model& model) {
  return rebuilt(architecture, model.identity(), model.parameters(), model.buffers());
}

}  // namespace retrial::nn::inline layers
