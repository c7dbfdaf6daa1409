#pragma once

#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/nn/script/module_torch.hpp"

namespace retrial::nn::inline layers {

/// A network from a TorchScript file. It shows its logits alone: no features, no maps, no layers to watch. Dropout of a
/// pass does not reach it.
class Scripted : public Model {
 public:
  /// The weights of the file, unless others are given: as many tensors, in the order of the file.
  Scripted(Identity identity, ScriptModule module, const NamedTensors& parameters, const NamedTensors& buffers);
  [[nodiscard]] Activations forward(const at::Tensor& images, const Pass& pass) const override;

 private:
  ScriptModule module_;
};

}  // namespace retrial::nn::inline layers
