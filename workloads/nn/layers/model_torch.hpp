#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "determinism/digest/psum2.hpp"
#include "workloads/nn/shape/closed_form.hpp"

namespace retrial::nn::inline layers {

/// Dropout of one optimizer step: masks come from derive(derive(derive(seed, layer), "mask"), step).
struct Dropout {
  double p = 0;
  std::uint64_t seed = 0, step = 0;
};

/// One convolution or linear layer in a forward pass. Kernels are padded by half of their side.
struct LayerView {
  const at::Tensor &weight, &input, &output;
  std::int64_t stride = 1;
};
using LayerWatch = std::function<void(const LayerView& layer)>;

/// The mode of a forward pass. Training uses batch statistics and updates the running ones, in which those of this
/// batch have the share `momentum`. `watch` is called after every convolution and linear layer, in the order of the
/// pass.
struct Pass {
  bool training = false;
  std::optional<Dropout> dropout;
  const LayerWatch* watch = nullptr;
  double momentum = .1;
};

/// Weight and bias of a batch norm, one number per channel.
struct NormWeights {
  at::Tensor weight, bias;
};

/// The result of a forward pass: always the same operators, so requesting features cannot change a logit. Sizes are
/// those of outline_of. `stage` holds the maps after the closing ReLU (cnn: 8x8, 4x4, 2x2, the last two after pooling),
/// `stage_pre` those before it, `stage_norm` the batch norm whose output feeds that ReLU (in a residual block through
/// the addition; undefined if no ReLU closes the stage); all are empty for mlp. `stem` is the input of the first stage
/// of a residual network, undefined elsewhere. `pooled` is (batch, features): mlp's last hidden activation, cnn's
/// flattened maps, a residual network's averaged last map. A script has logits alone.
struct Activations {
  at::Tensor logits, pooled, stem = {};
  std::vector<at::Tensor> stage = {}, stage_pre = {};
  std::vector<NormWeights> stage_norm = {};
};

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// A network in float32: named tensors and a forward pass. It begins on the CPU; move_to takes it to a GPU.
class Model {
 public:
  virtual ~Model() = default;
  [[nodiscard]] virtual Activations forward(const at::Tensor& images, const Pass& pass) const = 0;

  [[nodiscard]] const Identity& identity() const { return identity_; }
  [[nodiscard]] const NamedTensors& parameters() const { return parameters_; }
  [[nodiscard]] const NamedTensors& buffers() const { return buffers_; }
  /// Parameters, then buffers: the order of the weights digest.
  [[nodiscard]] NamedTensors tensors() const;
  [[nodiscard]] determinism::Psum2 digest() const;
  /// A frozen model has no gradients.
  void freeze();

 protected:
  Model(Identity identity, NamedTensors parameters, NamedTensors buffers);
  [[nodiscard]] const at::Tensor& tensor(const std::string& name) const;
  /// The first factor of a factorized layer; undefined for other layers.
  [[nodiscard]] at::Tensor basis(const std::string& layer) const;

 private:
  [[nodiscard]] const at::Tensor* find(const std::string& name) const;
  Identity identity_;
  NamedTensors parameters_, buffers_;
};

/// The tensor on a device: itself where it is there, without a call into LibTorch, which would cost time and be counted
/// by profiles. What is sent to a GPU from ordinary memory has been read when this returns, but need not have arrived.
[[nodiscard]] inline at::Tensor on(const at::Device& device, const at::Tensor& tensor) {
  return tensor.device() == device ? tensor : tensor.to(device, !device.is_cpu(), false);
}
[[nodiscard]] inline at::Tensor on_host(const at::Tensor& tensor) {
  return tensor.is_cpu() ? tensor : tensor.cpu();
}
/// Moves tensors to a device in place: every handle to one of them sees the move.
void move_to(const NamedTensors& tensors, const at::Device& device);
/// The device of a model's tensors.
[[nodiscard]] at::Device device_of(const Model& model);

/// A model on a device for the life of this, and on the host afterwards.
class OnDevice {
 public:
  OnDevice(const Model& model, const at::Device& device) : model_(model) { move_to(model_.tensors(), device); }
  ~OnDevice() { move_to(model_.tensors(), at::kCPU); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  const Model& model_;
};

/// Builds and initializes a model; every tensor draws from derive(init_seed, its name), element e from word 0 of
/// block(key, e, 0), which becomes a uniform or a normal number. The number of elements is compared with the closed
/// form. A script starts from the weights of its file, whatever the seed.
[[nodiscard]] std::unique_ptr<Model> make(const Architecture& architecture, const data::Shape& input, int classes,
                                          std::uint64_t init_seed);

/// A network of the architecture over given tensors: all of its table, of any consistent sizes (a pruned network has
/// fewer channels; a factorised layer has LAYER.basis in addition to LAYER.weight, see layers_torch.hpp). Their number
/// is compared with the identity; a mismatch throws std::logic_error.
[[nodiscard]] std::unique_ptr<Model> assembled(const Architecture& architecture, Identity identity,
                                               NamedTensors parameters, NamedTensors buffers);

/// The same network over copies of its tensors; it can be trained even if the first is frozen.
[[nodiscard]] std::unique_ptr<Model> copied(const Architecture& architecture, const Model& model);

/// The same over copies of other tensors, of a factorized or smaller network; `identity` counts these.
[[nodiscard]] std::unique_ptr<Model> rebuilt(const Architecture& architecture, Identity identity,
                                             const NamedTensors& parameters, const NamedTensors& buffers);

/// One initialized tensor of a model's table.
[[nodiscard]] at::Tensor initialised(const TensorSpec& spec, std::uint64_t init_seed);

}  // namespace retrial::nn::inline layers
