#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/nn/protocol/sgd.hpp"
#include "workloads/nn/protocol/sgd_step.hpp"

namespace retrial::nn::inline training {

/// One weighted part of the objective.
struct Term {
  std::string_view name;
  double weight = 1;
  at::Tensor value;
};

/// The objective: its terms, weighted and added. A weight of 1 multiplies nothing, so that an objective of one term of
/// weight 1 is that term to the bit.
[[nodiscard]] at::Tensor weighted_sum(const std::vector<Term>& terms);

/// Of a tensor in the host's memory.
[[nodiscard]] std::span<float> floats_of(const at::Tensor& tensor);
/// Takes the gradient of a tensor, which has none afterwards; undefined if none has reached it.
[[nodiscard]] at::Tensor taken_gradient(const at::Tensor& tensor);

/// Moves trained tensors by the gradients of an objective, and keeps a state between steps. All of them are on one
/// device; on a GPU an update is one launch for all tensors, which returns at once.
class Optimizer {
 public:
  using Velocity = std::vector<at::Tensor>;  ///< one for each trained tensor, of its size and on its device

  virtual ~Optimizer() = default;
  /// `rate`: the learning rate of this step.
  virtual void step(const std::vector<Term>& terms, double rate) = 0;
  /// The state: saved with a training.
  [[nodiscard]] const std::vector<Velocity>& velocities() const { return velocities_; }

  /// From now on elements with mask 0 are 0 after every step, and so is their momentum: one mask for each trained
  /// tensor; an empty one masks nothing.
  void hold_at_zero(const std::vector<std::vector<std::uint8_t>>& masks);
  /// On a GPU: from now on a step changes nothing where this byte of the device is 0.
  void obey(const std::uint8_t* proceed) { proceed_ = proceed; }

 protected:
  Optimizer(NamedTensors trained, std::size_t velocities);
  [[nodiscard]] const NamedTensors& trained() const { return trained_; }
  [[nodiscard]] bool is_on_host() const;
  /// sgd_step on each tensor that a gradient has reached, with the first velocity. The others do not change: no decay
  /// and no momentum, as in LibTorch.
  void sgd_update(const std::vector<at::Tensor>& gradients, double rate, const Sgd& sgd);
  /// After an update on the host; the kernels of a GPU do it themselves.
  void clear_masked();
  /// For a kernel: this step's rate on the device.
  [[nodiscard]] UpdateControl control(double rate);
  [[nodiscard]] const std::uint32_t* live(std::size_t i) const;

 private:
  NamedTensors trained_;
  std::vector<Velocity> velocities_;
  std::vector<at::Tensor> masks_;  ///< all bits set for live elements; undefined: all of them are live
  const std::uint8_t* proceed_ = nullptr;
  at::Tensor rate_;
  double rate_set_ = 0;
};
using MakeOptimizer = std::function<std::unique_ptr<Optimizer>(const NamedTensors& trained, const Sgd& sgd)>;

/// sgd_step on every tensor.
[[nodiscard]] std::unique_ptr<Optimizer> sgd_optimizer(const NamedTensors& trained, const Sgd& sgd);

}  // namespace retrial::nn::inline training
