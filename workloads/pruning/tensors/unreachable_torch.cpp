#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

#include "workloads/pruning/tensors/apply_torch.hpp"

namespace retrial::pruning::inline tensors {
namespace {

/// |w| and |scale| in double, no biases, no statistics.
std::unique_ptr<nn::Model> absolute(const nn::Model& model, const nn::Architecture& architecture) {
  nn::NamedTensors parameters, buffers;
  for (const auto& [name, tensor] : model.parameters()) {
    const at::Tensor magnitude = tensor.detach().to(at::kDouble).abs();
    parameters.emplace_back(name, (name.ends_with(".bias") ? magnitude.zero_() : magnitude).requires_grad_(true));
  }
  for (const auto& [name, tensor] : model.buffers())
    buffers.emplace_back(name, tensor.to(at::kDouble, false, true).fill_(name.ends_with("var") ? 1 : 0));
  return nn::assembled(architecture, model.identity(), std::move(parameters), std::move(buffers));
}

}  // namespace

MaskSet without_unreachable(const nn::Model& model, const nn::Architecture& architecture, const Network& network,
                            const data::Shape& input, MaskSet masks) {
  const auto copy = absolute(model, architecture);
  const at::Tensor ones = at::ones({1, input.channels, input.height, input.width}, at::kDouble);
  copy->forward(ones, {}).logits.sum().backward();
  const auto weights = weights_of(*copy, network);
  for (std::size_t l = 0; l < weights.size(); ++l) {
    const at::Tensor gradient = weights[l].grad().contiguous();
    const double *w = weights[l].data_ptr<double>(), *g = gradient.data_ptr<double>();
    for (std::size_t e = 0; e < masks.layers[l].bits.size(); ++e)
      if (w[e] == 0 || g[e] == 0) masks.layers[l].bits[e] = 0;
  }
  return masks;
}

}  // namespace retrial::pruning::inline tensors
