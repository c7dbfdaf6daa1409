#include "workloads/nn/layers/mlp_torch.hpp"

#include <ATen/ops/relu.h>

namespace retrial::nn::inline layers {

Mlp::Mlp(Identity identity, NamedTensors parameters, NamedTensors buffers, std::size_t hidden)
    : Model(std::move(identity), std::move(parameters), std::move(buffers)) {
  for (std::size_t i = 1; i <= hidden; ++i) {
    const std::string name = "fc" + std::to_string(i);
    hidden_.push_back({name, {tensor(name + ".weight"), tensor(name + ".bias"), basis(name)}});
  }
  classifier_ = {tensor("classifier.weight"), tensor("classifier.bias"), basis("classifier")};
}

Activations Mlp::forward(const at::Tensor& images, const Pass& pass) const {
  at::Tensor x = images.flatten(1);
  for (const auto& [name, layer] : hidden_) x = drop(at::relu(layer(x, pass)), name, pass);
  return {.logits = classifier_(x, pass), .pooled = x};
}

}  // namespace retrial::nn::inline layers
