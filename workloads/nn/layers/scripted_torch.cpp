#include "workloads/nn/layers/scripted_torch.hpp"

#include <ATen/core/grad_mode.h>

#include <stdexcept>

namespace retrial::nn::inline layers {
namespace {

void copy_values(const NamedTensors& from, const NamedTensors& to) {
  const at::NoGradGuard no_gradient;
  for (std::size_t i = 0; i < from.size(); ++i) to[i].second.copy_(from[i].second);
}

}  // namespace

Scripted::Scripted(Identity identity, ScriptModule module, const NamedTensors& parameters, const NamedTensors& buffers)
    : Model(std::move(identity), module.trained(), module.kept()), module_(std::move(module)) {
  copy_values(parameters, this->parameters());
  copy_values(buffers, this->buffers());
}

Activations Scripted::forward(const at::Tensor& images, const Pass& pass) const {
  if (pass.watch != nullptr) throw std::logic_error(identity().name + ": the layers of a script cannot be watched");
  return {.logits = module_.logits(images, pass.training), .pooled = {}};
}

}  // namespace retrial::nn::inline layers
