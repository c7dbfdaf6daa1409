#include "workloads/pruning/sight_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/im2col.h>

#include <stdexcept>

#include "workloads/pruning/apply_torch.hpp"

namespace retrial::prune {
namespace {

/// (columns, positions): column = input channel, then tap.
Patches patches_of(const nn::LayerView& view) {
  at::Tensor x = view.input.contiguous();
  if (view.weight.dim() == 4) {
    const std::int64_t side = view.weight.size(2), pad = side / 2;
    x = at::im2col(x, {side, side}, {1, 1}, {pad, pad}, {view.stride, view.stride});
  }
  const at::Tensor flat = x.contiguous();
  const std::int64_t positions = view.weight.dim() == 4 ? flat.size(2) : 1;
  const float* from = flat.data_ptr<float>();
  return {.values = {from, from + flat.numel()}, .positions = positions};
}

std::size_t layer_of(const std::vector<at::Tensor>& weights, const at::Tensor& weight) {
  for (std::size_t l = 0; l < weights.size(); ++l)
    if (weights[l].is_same(weight)) return l;
  throw std::logic_error("a layer that no table names ran");
}

void watch_samples(const nn::Model& model, const std::vector<at::Tensor>& weights, const at::Tensor& images,
                   const Sight::Visit& visit) {
  const at::NoGradGuard no_gradient;
  for (std::int64_t sample = 0; sample < images.size(0); ++sample) {
    const nn::LayerWatch watch = [&](const nn::LayerView& view) {
      visit(sample, layer_of(weights, view.weight), patches_of(view));
    };
    (void)model.forward(images.narrow(0, sample, 1), {.training = false, .dropout = {}, .watch = &watch});
  }
}

void watch_inputs(const nn::Model& model, const std::vector<at::Tensor>& weights, const at::Tensor& images,
                  const Sight::VisitInput& visit) {
  const at::NoGradGuard no_gradient;
  for (std::int64_t sample = 0; sample < images.size(0); ++sample) {
    const nn::LayerWatch watch = [&](const nn::LayerView& view) {
      const at::Tensor input = view.input.contiguous();
      const float* from = input.data_ptr<float>();
      const std::int64_t area = view.weight.dim() == 4 ? input.size(2) * input.size(3) : 1;
      visit(sample, layer_of(weights, view.weight), {.values = {from, from + input.numel()}, .area = area});
    };
    (void)model.forward(images.narrow(0, sample, 1), {.training = false, .dropout = {}, .watch = &watch});
  }
}

std::vector<std::vector<double>> gradients(const nn::Model& model, const std::vector<at::Tensor>& weights,
                                           const at::Tensor& images, const at::Tensor& labels) {
  std::vector<std::vector<double>> sums;
  for (const at::Tensor& weight : weights) sums.emplace_back(static_cast<std::size_t>(weight.numel()), 0.0);
  const auto samples = static_cast<double>(images.size(0));
  for (std::int64_t sample = 0; sample < images.size(0); ++sample) {
    const at::Tensor logits = model.forward(images.narrow(0, sample, 1), {}).logits;
    at::cross_entropy_loss(logits, labels.narrow(0, sample, 1)).backward();
    for (std::size_t l = 0; l < weights.size(); ++l) {
      const at::Tensor gradient = weights[l].grad().contiguous();
      const float* g = gradient.data_ptr<float>();
      for (double& sum : sums[l]) sum += double{*g++} / samples;
    }
    for (const auto& [name, tensor] : model.parameters()) tensor.mutable_grad().reset();
  }
  return sums;
}

}  // namespace

Sight sight_of(const nn::Model& model, const Network& network, const MaskSet& masks, const at::Tensor& images,
               const at::Tensor& labels) {
  const std::vector<at::Tensor> weights = weights_of(model, network);
  Sight sight{.network = network, .masks = masks, .weights = values_of(weights)};
  sight.samples = sight.batch = images.defined() ? images.size(0) : 0;
  sight.each_patch = [&model, weights, images](const Sight::Visit& visit) {
    watch_samples(model, weights, images, visit);
  };
  sight.each_input = [&model, weights, images](const Sight::VisitInput& visit) {
    watch_inputs(model, weights, images, visit);
  };
  sight.mean_gradients = [&model, weights, images, labels](std::int64_t samples) {
    return gradients(model, weights, images.narrow(0, 0, samples), labels.narrow(0, 0, samples));
  };
  for (const Norm& norm : network.norms)
    for (const auto& [name, tensor] : model.parameters())
      if (name == norm.name + ".weight")
        sight.norm_scales.emplace_back(tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel()));
  return sight;
}

}  // namespace retrial::prune
