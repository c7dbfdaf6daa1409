#pragma once

#include <array>

#include "workloads/nn/layers/layers_torch.hpp"

namespace retrial::nn::inline layers {

/// conv-BN-ReLU; conv-BN-ReLU and 2x2 max-pool; the same again; flatten; linear.
class Cnn : public Model {
 public:
  Cnn(Identity identity, NamedTensors parameters, NamedTensors buffers);
  [[nodiscard]] Activations forward(const at::Tensor& images, const Pass& pass) const override;

 private:
  struct Stage {
    Conv conv;
    BatchNorm norm;
    bool pools;
  };
  std::array<Stage, 3> stages_;
  Linear classifier_;
};

}  // namespace retrial::nn::inline layers
