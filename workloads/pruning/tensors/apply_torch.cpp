#include "workloads/pruning/tensors/apply_torch.hpp"

#include <ATen/TensorOperators.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::pruning::inline tensors {
namespace {

const at::Tensor* find(const nn::Model& model, const std::string& name) {
  for (const auto& [known, tensor] : model.parameters())
    if (known == name) return &tensor;
  return nullptr;
}

/// One number per channel: those of removed channels become 0.
void clear_gone(const nn::Model& model, const std::string& name, const Alive& alive, const Channels& range) {
  const at::Tensor* tensor = find(model, name);
  if (tensor == nullptr) return;  // convolutions have no bias
  const std::uint8_t* flags = alive[static_cast<std::size_t>(range.group)].data() + range.offset;
  float* values = tensor->data_ptr<float>();
  for (std::int64_t c = 0; c < range.count; ++c)
    if (flags[c] == 0) values[c] = 0;
}

}  // namespace

std::vector<at::Tensor> weights_of(const nn::Model& model, const Network& network) {
  std::vector<at::Tensor> weights;
  for (const Layer& layer : network.layers) {
    const at::Tensor* tensor = find(model, layer.name + ".weight");
    if (tensor == nullptr || tensor->numel() != layer.weights())
      throw std::logic_error(model.identity().name + " has no weight " + layer.name + " of this size");
    weights.push_back(*tensor);
  }
  return weights;
}

std::vector<std::span<const float>> values_of(const std::vector<at::Tensor>& weights) {
  std::vector<std::span<const float>> values;
  for (const at::Tensor& weight : weights)
    values.emplace_back(weight.data_ptr<float>(), static_cast<std::size_t>(weight.numel()));
  return values;
}

void apply(const nn::Model& model, const Network& network, const MaskSet& masks) {
  const std::vector<at::Tensor> weights = weights_of(model, network);
  for (std::size_t l = 0; l < weights.size(); ++l) {
    float* w = weights[l].data_ptr<float>();
    for (std::size_t e = 0; e < masks.layers[l].bits.size(); ++e)
      if (masks.layers[l].bits[e] == 0) w[e] = 0;
  }
  const Alive alive = alive_channels(network, masks);
  for (const Layer& layer : network.layers) clear_gone(model, layer.name + ".bias", alive, layer.out);
  for (const Norm& norm : network.norms)
    for (const char* part : {".weight", ".bias"}) clear_gone(model, norm.name + part, alive, norm.channels);
}

std::vector<std::vector<std::uint8_t>> parameter_masks(const nn::Model& model, const MaskSet& masks) {
  std::vector<std::vector<std::uint8_t>> all;
  for (const auto& [name, tensor] : model.parameters()) {
    all.emplace_back();
    for (const LayerMask& layer : masks.layers)
      if (layer.name + ".weight" == name) all.back() = layer.bits;
  }
  return all;
}

void require_applied(const nn::Model& model, const Network& network, const MaskSet& masks) {
  auto weights = weights_of(model, network);
  for (at::Tensor& weight : weights) weight = nn::on_host(weight.detach());
  const auto values = values_of(weights);
  for (std::size_t l = 0; l < values.size(); ++l)
    for (std::size_t e = 0; e < values[l].size(); ++e)
      if (masks.layers[l].bits[e] == 0 && values[l][e] != 0)
        throw workloads::TrialFailure("prune.mask_not_applied",
                                      "layer " + network.layers[l].name + " has a masked weight that is not 0");
}

NonZero non_zero(const nn::Model& model) {
  NonZero found;
  for (const auto& [name, tensor] : model.parameters()) {
    const at::Tensor here = nn::on_host(tensor.detach());
    const float* values = here.data_ptr<float>();
    for (std::int64_t e = 0; e < tensor.numel(); ++e) {
      if (values[e] != 0) ++found.values;
      if (std::fpclassify(values[e]) == FP_SUBNORMAL) ++found.denormals;
    }
  }
  return found;
}

}  // namespace retrial::pruning::inline tensors
