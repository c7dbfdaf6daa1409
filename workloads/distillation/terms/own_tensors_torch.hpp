#pragma once

#include <string>
#include <vector>

#include "workloads/nn/layers/layers_torch.hpp"

namespace retrial::distillation::inline terms {

/// Draws the tensors of a loss: "hint.conv.weight" of the term hint. Convolutions and linear layers start uniform in
/// +-1/sqrt(fan_in), convolutions have no bias.
class OwnTensors {
 public:
  OwnTensors(std::string term, std::uint64_t init_seed) : term_(std::move(term)), seed_(init_seed) {}

  [[nodiscard]] nn::Linear linear(const std::string& layer, std::int64_t in, std::int64_t out);
  /// The weight of a convolution, sizes (out, in, side, side); of a transposed one (in, out, side, side).
  [[nodiscard]] at::Tensor kernel(const std::string& layer, std::vector<std::int64_t> sizes);
  [[nodiscard]] nn::BatchNorm norm(const std::string& layer, std::int64_t channels);
  [[nodiscard]] at::Tensor constant(const std::string& name, std::int64_t elements, double value);
  /// A buffer, uniform in +-bound.
  [[nodiscard]] at::Tensor memory(const std::string& name, std::vector<std::int64_t> sizes, double bound);
  [[nodiscard]] at::Tensor counter(const std::string& name);

  nn::NamedTensors parameters, buffers;

 private:
  [[nodiscard]] at::Tensor add(nn::TensorSpec spec);

  std::string term_;
  std::uint64_t seed_;
};

}  // namespace retrial::distillation::inline terms
