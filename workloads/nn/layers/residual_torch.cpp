#include "workloads/nn/layers/residual_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/relu.h>

#include <algorithm>
#include <utility>

namespace retrial::nn::inline layers {
namespace {

using Block = Residual::Block;

/// Shortcut A: every other row and column, zero channels before and after, `channels` in total.
at::Tensor padded(const at::Tensor& x, const Unit& unit, std::int64_t channels) {
  const std::int64_t before = unit.zeros_before, after = channels - x.size(1) - before;
  const at::Tensor taken = x.slice(2, 0, std::nullopt, unit.stride).slice(3, 0, std::nullopt, unit.stride);
  return at::constant_pad_nd(taken, {0, 0, 0, 0, before, after});
}

/// With AVX2 and channels last in memory, training with 2 or 4 channels and a projecting shortcut damaged the heap (a
/// worker aborted in free() within 20 steps; padded shortcuts, 8 channels and AVX-512 did not). Planes do not. Checked
/// on the tensors: a pruned network has other widths than its architecture.
bool whole_vectors(const NamedTensors& parameters) {
  constexpr std::int64_t lanes = 8;
  return std::ranges::all_of(parameters, [](const auto& named) {
    const at::Tensor& tensor = named.second;
    return tensor.dim() != 4 || tensor.size(0) % lanes == 0;
  });
}

}  // namespace

ResidualNet::ResidualNet(const Architecture& architecture, Identity identity, NamedTensors parameters,
                         NamedTensors buffers)
    : Model(std::move(identity), std::move(parameters), std::move(buffers)),
      net_(*architecture.residual),
      stem_(conv("conv1")),
      edge_norm_(norm(net_.block == Block::wide ? "bn" : "bn1")),
      classifier_{tensor("classifier.weight"), tensor("classifier.bias"), basis("classifier")},
      whole_vectors_(whole_vectors(this->parameters())) {
  for (const Unit& unit : units_of(net_)) blocks_.push_back(build(unit));
}

Conv ResidualNet::conv(const std::string& layer, std::int64_t stride) const {
  return {.weight = tensor(layer + ".weight"), .basis = basis(layer), .stride = stride};
}

BatchNorm ResidualNet::norm(const std::string& layer) const {
  return {tensor(layer + ".weight"), tensor(layer + ".bias"), tensor(layer + ".running_mean"),
          tensor(layer + ".running_var")};
}

/// The stride is on the first 3x3 convolution.
ResidualNet::Built ResidualNet::build(const Unit& unit) const {
  const std::size_t layers = net_.block == Block::bottleneck ? 3 : 2, strided = layers - 1;
  Built built{.unit = unit, .layers = {}, .shortcut = {}, .shortcut_norm = {}};
  for (std::size_t i = 1; i <= layers; ++i) {
    const std::string number = std::to_string(i);
    built.layers.push_back(
        {conv(unit.name + ".conv" + number, i == strided ? unit.stride : 1), norm(unit.name + ".bn" + number)});
  }
  if (unit.projects) built.shortcut = conv(unit.name + ".shortcut", unit.stride);
  if (unit.projects && net_.block != Block::wide) built.shortcut_norm = norm(unit.name + ".shortcut_bn");
  return built;
}

at::Tensor ResidualNet::shortcut(const Built& built, const at::Tensor& x, const Pass& pass) const {
  if (built.unit.projects) return built.shortcut_norm(built.shortcut(x, pass), pass);
  return built.unit.in == built.unit.out ? x : padded(x, built.unit, built.layers.back().conv.weight.size(0));
}

at::Tensor ResidualNet::sum(const Built& built, const at::Tensor& x, const Pass& pass) const {
  at::Tensor y = x;
  for (std::size_t i = 0; i < built.layers.size(); ++i)
    y = built.layers[i].norm(built.layers[i].conv(i == 0 ? y : at::relu(y), pass), pass);
  return y + shortcut(built, x, pass);
}

/// `opened` is x after the block's first norm and ReLU, where a projecting shortcut starts.
at::Tensor ResidualNet::wide_sum(const Built& built, const at::Tensor& x, const at::Tensor& opened,
                                 const Pass& pass) const {
  const at::Tensor inner = at::relu(built.layers[1].norm(built.layers[0].conv(opened, pass), pass));
  const at::Tensor y = built.layers[1].conv(drop(inner, built.unit.name + ".conv2", pass), pass);
  return y + (built.unit.projects ? built.shortcut(opened, pass) : x);
}

void ResidualNet::forward_closed(at::Tensor x, const Pass& pass, Activations& seen) const {
  x = at::relu(edge_norm_(x, pass));
  seen.stem = x;
  for (const Built& built : blocks_) {
    const at::Tensor before = sum(built, x, pass);
    x = net_.closing_relu ? at::relu(before) : before;
    if (!built.unit.last) continue;
    seen.stage_pre.push_back(before);
    seen.stage.push_back(x);
    const BatchNorm& norm = built.layers.back().norm;
    seen.stage_norm.push_back(net_.closing_relu ? NormWeights{norm.weight, norm.bias} : NormWeights{});
  }
}

void ResidualNet::forward_wide(at::Tensor x, const Pass& pass, Activations& seen) const {
  seen.stem = x;
  const auto close = [&](const BatchNorm& norm) {
    const at::Tensor before = norm(x, pass);
    seen.stage_norm.push_back({norm.weight, norm.bias});
    seen.stage_pre.push_back(before);
    seen.stage.push_back(at::relu(before));
    return seen.stage.back();
  };
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const BatchNorm& first = blocks_[i].layers[0].norm;
    const bool closes = i > 0 && blocks_[i - 1].unit.last;
    x = wide_sum(blocks_[i], x, closes ? close(first) : at::relu(first(x, pass)), pass);
  }
  close(edge_norm_);
}

/// Maps have their channels last in memory, where they fill vectors: measured with batches of 128 on one core, ResNet-8
/// trains 588 and 636 images per second at 32x32 instead of 421 and 451 with planes, 2,241 and 2,261 instead of 1,871
/// and 1,998 at 16x16.
Activations ResidualNet::forward(const at::Tensor& images, const Pass& pass) const {
  Activations seen;
  const auto format = whole_vectors_ ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
  const at::Tensor x = stem_(images.contiguous(format), pass);
  if (net_.block == Block::wide)
    forward_wide(x, pass, seen);
  else
    forward_closed(x, pass, seen);
  const at::Tensor& last = seen.stage.back();
  seen.pooled = net_.window == 0 ? last.mean({2, 3}) : at::avg_pool2d(last, net_.window).flatten(1);
  seen.logits = classifier_(seen.pooled, pass);
  return seen;
}

}  // namespace retrial::nn::inline layers
