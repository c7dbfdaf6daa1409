#pragma once

#include <string>
#include <utility>
#include <vector>

#include "workloads/nn/layers/layers_torch.hpp"

namespace retrial::nn::inline layers {

/// Linear layers with bias and ReLU between them; the image is flattened.
class Mlp : public Model {
 public:
  Mlp(Identity identity, NamedTensors parameters, NamedTensors buffers, std::size_t hidden);
  [[nodiscard]] Activations forward(const at::Tensor& images, const Pass& pass) const override;

 private:
  std::vector<std::pair<std::string, Linear>> hidden_;
  Linear classifier_;
};

}  // namespace retrial::nn::inline layers
