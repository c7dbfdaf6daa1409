#pragma once

#include <string>
#include <vector>

#include "workloads/nn/layers/layers_torch.hpp"

namespace retrial::rl::inline agents {

struct NetworkShape {
  std::int64_t inputs = 0;
  std::vector<std::int64_t> hidden;
  std::int64_t outputs = 0;
  bool relu = false;  ///< else tanh
  /// Orthogonal weights (hidden layers by sqrt 2, the last one by head_gain) and no bias; else uniform ones.
  bool orthogonal = false;
  double head_gain = 1;
};

/// A perceptron on a device. Its tensors draw from derive(init, their name), on the host.
class Network {
 public:
  Network(const std::string& name, const NetworkShape& shape, std::uint64_t init, const at::Device& device);

  /// Of rows on any device; the result is on the network's.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& rows) const;
  [[nodiscard]] const nn::NamedTensors& parameters() const { return parameters_; }
  /// Moves towards another network of this shape: by tau of the way.
  void move_towards(const Network& other, double tau);

 private:
  bool relu_;
  std::vector<nn::Linear> layers_;
  nn::NamedTensors parameters_;
};

/// A matrix of float32 with these rows, on the host.
[[nodiscard]] at::Tensor matrix_of(std::span<const float> values, std::size_t columns);
/// Of a matrix on the host.
[[nodiscard]] std::span<const float> row_of(const at::Tensor& matrix, std::size_t row);
/// The backward pass of a loss that the host has computed, from its slopes by these outputs.
void descend(const at::Tensor& outputs, std::span<const float> slopes);

}  // namespace retrial::rl::inline agents
