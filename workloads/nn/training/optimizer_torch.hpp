#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "workloads/nn/layers/model_torch.hpp"
#include "workloads/nn/protocol/sgd.hpp"

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

[[nodiscard]] std::span<float> floats_of(const at::Tensor& tensor);
/// Takes the gradient of a tensor, which has none afterwards; undefined if none has reached it.
[[nodiscard]] at::Tensor taken_gradient(const at::Tensor& tensor);

/// Moves trained tensors by the gradients of an objective, and keeps a state between steps.
class Optimizer {
 public:
  using Velocity = std::vector<std::vector<float>>;  ///< one value per element, one row per trained tensor

  virtual ~Optimizer() = default;
  /// `rate`: the learning rate of this step.
  virtual void step(const std::vector<Term>& terms, double rate) = 0;
  /// The state: saved with a training, and 0 where a mask holds a weight at 0.
  [[nodiscard]] std::vector<Velocity>& velocities() { return velocities_; }
  [[nodiscard]] const std::vector<Velocity>& velocities() const { return velocities_; }

 protected:
  Optimizer(NamedTensors trained, std::size_t velocities);
  [[nodiscard]] const NamedTensors& trained() const { return trained_; }
  /// sgd_step on one tensor with the first velocity. A tensor without gradient does not change: no decay and no
  /// momentum, as in LibTorch.
  void sgd_update(std::size_t i, const at::Tensor& gradient, double rate, const Sgd& sgd);

 private:
  NamedTensors trained_;
  std::vector<Velocity> velocities_;
};
using MakeOptimizer = std::function<std::unique_ptr<Optimizer>(const NamedTensors& trained, const Sgd& sgd)>;

/// sgd_step on every tensor.
[[nodiscard]] std::unique_ptr<Optimizer> sgd_optimizer(const NamedTensors& trained, const Sgd& sgd);

}  // namespace retrial::nn::inline training
