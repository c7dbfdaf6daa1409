#include "workloads/pruning/tensors/sight_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/im2col.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "workloads/interface/trial/trial.hpp"
#include "workloads/pruning/tensors/apply_torch.hpp"
#include "workloads/pruning/tensors/factors_torch.hpp"

namespace retrial::pruning::inline tensors {
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
  throw std::logic_error("a layer without a table ran");
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

std::vector<double> finite_singular_values(const Layer& layer, const at::Tensor& weight, std::int64_t groups) {
  const float* values = weight.data_ptr<float>();
  if (!std::all_of(values, values + weight.numel(), [](float w) { return std::isfinite(w); }))
    throw workloads::TrialFailure("prune.nan_scores", "layer " + layer.name + " has NaN scores");
  return singular_values(weight, groups);
}

/// Sums over the outputs of one layer, position by position.
struct Outputs {
  std::int64_t count = 0;
  std::vector<double> mean, scatter;
};

/// visit(layer, output as (channels, positions)).
void each_output(const nn::Model& model, const std::vector<at::Tensor>& weights, const at::Tensor& images,
                 const std::function<void(std::size_t, const float*, std::int64_t)>& visit) {
  const at::NoGradGuard no_gradient;
  const nn::LayerWatch watch = [&](const nn::LayerView& view) {
    const at::Tensor output = view.output.contiguous();
    visit(layer_of(weights, view.weight), output.data_ptr<float>(), output.numel() / output.size(1));
  };
  for (std::int64_t sample = 0; sample < images.size(0); ++sample)
    (void)model.forward(images.narrow(0, sample, 1), {.training = false, .dropout = {}, .watch = &watch});
}

void add_means(Outputs& to, const float* from, std::int64_t positions) {
  for (double& mean : to.mean)
    for (std::int64_t p = 0; p < positions; ++p) mean += double{*from++};
  to.count += positions;
}

void add_scatter(Outputs& to, const float* from, std::int64_t positions) {
  const std::size_t channels = to.mean.size(), places = static_cast<std::size_t>(positions);
  std::vector<double> centred(channels * places);
  for (std::size_t e = 0; e < centred.size(); ++e) centred[e] = double{from[e]} - to.mean[e / places];
  for (std::size_t a = 0; a < channels; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      const double *x = centred.data() + a * places, *y = centred.data() + b * places;
      double sum = 0;
      for (std::size_t p = 0; p < places; ++p) sum += x[p] * y[p];
      to.scatter[a * channels + b] += sum;
      if (a != b) to.scatter[b * channels + a] += sum;
    }
}

/// Two passes: means, then products of the deviations. Linear layers have a bias that can hold a mean, convolutions do
/// not.
std::vector<Principal> components_of(const nn::Model& model, const std::vector<at::Tensor>& weights,
                                     const at::Tensor& images) {
  std::vector<Outputs> layers;
  for (const at::Tensor& weight : weights) {
    const auto channels = static_cast<std::size_t>(weight.size(0));
    layers.push_back({.mean = std::vector<double>(channels), .scatter = std::vector<double>(channels * channels)});
  }
  each_output(model, weights, images,
              [&](std::size_t l, const float* from, std::int64_t n) { add_means(layers[l], from, n); });
  for (std::size_t l = 0; l < layers.size(); ++l)
    for (double& mean : layers[l].mean) mean = weights[l].dim() == 4 ? 0 : mean / static_cast<double>(layers[l].count);
  each_output(model, weights, images,
              [&](std::size_t l, const float* from, std::int64_t n) { add_scatter(layers[l], from, n); });
  std::vector<Principal> found;
  for (Outputs& layer : layers) found.push_back(principal_of(layer.scatter, std::move(layer.mean), layer.count));
  return found;
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
  sight.singular_values = [&network, weights](std::size_t layer, std::int64_t groups) {
    return finite_singular_values(network.layers[layer], weights[layer], groups);
  };
  sight.principal_components = [&model, weights, images] { return components_of(model, weights, images); };
  for (const Norm& norm : network.norms)
    for (const auto& [name, tensor] : model.parameters())
      if (name == norm.name + ".weight")
        sight.norm_scales.emplace_back(tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel()));
  return sight;
}

}  // namespace retrial::pruning::inline tensors
