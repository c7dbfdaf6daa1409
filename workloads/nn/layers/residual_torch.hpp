#pragma once

#include "workloads/nn/layers/layers_torch.hpp"

namespace retrial::nn::inline layers {

/// Every ResNet and wide ResNet: the blocks that a Residual describes.
/// `stage` and `stage_pre` are the maps around the ReLU that closes a stage. A wide stage is closed by the first norm
/// and ReLU after it; without closing ReLUs both are the sum of the last block.
class ResidualNet : public Model {
 public:
  ResidualNet(const Architecture& architecture, Identity identity, NamedTensors parameters, NamedTensors buffers);
  [[nodiscard]] Activations forward(const at::Tensor& images, const Pass& pass) const override;

 private:
  struct Layer {
    Conv conv;
    BatchNorm norm;
  };
  struct Built {
    Unit unit;
    std::vector<Layer> layers;
    Conv shortcut;            ///< without weight if the shortcut has none
    BatchNorm shortcut_norm;  ///< the same
  };
  [[nodiscard]] Conv conv(const std::string& layer, std::int64_t stride = 1) const;
  [[nodiscard]] BatchNorm norm(const std::string& layer) const;
  [[nodiscard]] Built build(const Unit& unit) const;
  [[nodiscard]] at::Tensor shortcut(const Built& built, const at::Tensor& x, const Pass& pass) const;
  [[nodiscard]] at::Tensor sum(const Built& built, const at::Tensor& x, const Pass& pass) const;
  [[nodiscard]] at::Tensor wide_sum(const Built& built, const at::Tensor& x, const at::Tensor& opened,
                                    const Pass& pass) const;
  void forward_closed(at::Tensor x, const Pass& pass, Activations& seen) const;
  void forward_wide(at::Tensor x, const Pass& pass, Activations& seen) const;

  Residual net_;
  Conv stem_;
  BatchNorm edge_norm_;  ///< norm of the stem; of the end in a wide ResNet
  std::vector<Built> blocks_;
  Linear classifier_;
  bool whole_vectors_;
};

}  // namespace retrial::nn::inline layers
