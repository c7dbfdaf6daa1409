#include "workloads/nn/layers/mlp_torch.hpp"

#include <ATen/ops/relu.h>

#include "workloads/profiler/rules/health_watch.hpp"

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
  for (const auto& [name, layer] : hidden_) {
    x = layer(x, pass);
    if (auto* watch = profiler::watch_of_step(); watch != nullptr && pass.training) {
      const at::Tensor inputs = on_host(x);
      watch->activated(name, profiler::Activation::relu,
                       {inputs.const_data_ptr<float>(), static_cast<std::size_t>(inputs.numel())},
                       static_cast<std::size_t>(inputs.size(1)));
    }
    x = drop(at::relu(x), name, pass);
  }
  return {.logits = classifier_(x, pass), .pooled = x};
}

}  // namespace retrial::nn::inline layers
