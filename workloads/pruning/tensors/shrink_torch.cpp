#include "workloads/pruning/tensors/shrink_torch.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>

#include <algorithm>

#include "workloads/interface/trial/trial.hpp"
#include "workloads/pruning/tensors/apply_torch.hpp"

namespace retrial::pruning::inline tensors {
namespace {

[[noreturn]] void refuse(const std::string& layer, const std::string& why) {
  throw workloads::TrialFailure("prune.no_shrink", "layer " + layer + " " + why);
}

/// Places of the live ones among the features of a range.
at::Tensor kept(const Alive& alive, const Channels& range) {
  std::vector<std::int64_t> places;
  for (std::int64_t c = 0; c < range.count; ++c)
    if (alive[static_cast<std::size_t>(range.group)][static_cast<std::size_t>(range.offset + c)] != 0)
      for (std::int64_t r = 0; r < range.repeat; ++r) places.push_back(c * range.repeat + r);
  const at::Tensor index = at::empty({static_cast<std::int64_t>(places.size())}, at::kLong);
  std::copy(places.begin(), places.end(), index.data_ptr<std::int64_t>());
  return index;
}

/// The constant of a channel without weights: a bias, or the output of a batch norm for 0.
bool carries(const nn::NamedTensors& tensors, const std::string& name, std::int64_t channel) {
  double scale = 0, shift = 0, mean = 0;
  for (const auto& [known, tensor] : tensors) {
    const auto value = [&, &values = tensor] { return double{values.data_ptr<float>()[channel]}; };
    if (known == name + ".bias") shift = value();
    if (known == name + ".weight" && tensor.dim() == 1) scale = value();
    if (known == name + ".running_mean") mean = value();
  }
  return shift != 0 || scale * mean != 0;
}

bool reads_live(const Layer& layer, const LayerMask& mask, std::int64_t channel) {
  const std::int64_t width = layer.in.repeat * layer.taps;
  for (std::int64_t row = 0; row < layer.out.count; ++row)
    for (std::int64_t tap = 0; tap < width; ++tap)
      if (mask.bits[static_cast<std::size_t>(row * layer.columns() + channel * width + tap)] != 0) return true;
  return false;
}

/// Whether a live weight reads channel `index` of the group.
bool is_read(const Network& network, const MaskSet& masks, int group, std::int64_t index) {
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Channels& in = network.layers[l].in;
    if (in.group == group && index >= in.offset && index < in.offset + in.count &&
        reads_live(network.layers[l], masks.layers[l], index - in.offset))
      return true;
  }
  return false;
}

void require_silent(const nn::Model& model, const Network& network, const MaskSet& masks, const Alive& alive) {
  const nn::NamedTensors tensors = model.tensors();
  const auto check = [&](const std::string& name, const Channels& range) {
    for (std::int64_t c = 0; c < range.count; ++c)
      if (alive[static_cast<std::size_t>(range.group)][static_cast<std::size_t>(range.offset + c)] == 0 &&
          is_read(network, masks, range.group, range.offset + c) && carries(tensors, name, c))
        refuse(name, "gives a removed channel a constant that live weights read");
  };
  for (const Layer& layer : network.layers) check(layer.name, layer.out);
  for (const Norm& norm : network.norms) check(norm.name, norm.channels);
}

/// The channels of a tensor: rows for all, columns for weights of layers.
struct Cut {
  at::Tensor rows, columns;
};

std::vector<std::pair<std::string, Cut>> cuts_of(const Network& network, const Alive& alive) {
  std::vector<std::pair<std::string, Cut>> cuts;
  for (const Layer& layer : network.layers) {
    const Cut cut{kept(alive, layer.out), kept(alive, layer.in)};
    if (cut.rows.numel() == 0 || cut.columns.numel() == 0) refuse(layer.name, "has no channel left");
    cuts.emplace_back(layer.name + ".weight", cut);
    cuts.emplace_back(layer.name + ".bias", Cut{cut.rows, {}});
  }
  for (const Norm& norm : network.norms)
    for (const char* part : {".weight", ".bias", ".running_mean", ".running_var"})
      cuts.emplace_back(norm.name + part, Cut{kept(alive, norm.channels), {}});
  return cuts;
}

nn::NamedTensors cut(const nn::NamedTensors& tensors, const std::vector<std::pair<std::string, Cut>>& cuts,
                     bool trained) {
  nn::NamedTensors smaller;
  for (const auto& [name, tensor] : tensors) {
    at::Tensor part = tensor.detach();
    for (const auto& [known, where] : cuts) {
      if (known != name) continue;
      part = part.index_select(0, where.rows);
      if (where.columns.defined()) part = part.index_select(1, where.columns);
    }
    smaller.emplace_back(name, part.clone().requires_grad_(trained));
  }
  return smaller;
}

/// Zero channels before those that each padded shortcut copies: the remaining channels of the wide side before the
/// narrow one.
nn::Architecture with_zeros(nn::Architecture architecture, const Network& network, const Alive& alive) {
  if (!architecture.residual) return architecture;
  Channels in{};
  for (const nn::Unit& unit : nn::units_of(*architecture.residual)) {
    std::int64_t zeros = 0;
    for (const Layer& layer : network.layers) {
      if (layer.name == unit.name + ".conv1") in = layer.in;
      if (layer.name.starts_with(unit.name + ".conv") && layer.out.group == in.group)
        zeros = count_alive(alive, {in.group, layer.out.offset, in.offset - layer.out.offset});
    }
    architecture.residual->zeros_before.push_back(zeros);
  }
  return architecture;
}

nn::Identity smaller_identity(const nn::Model& model, const Network& network, const Alive& alive,
                              const nn::NamedTensors& parameters) {
  nn::Identity identity = model.identity();
  identity.parameters = identity.macs = 0;
  for (const auto& [name, tensor] : parameters) identity.parameters += tensor.numel();
  for (const Layer& layer : network.layers)
    identity.macs +=
        count_alive(alive, layer.out) * count_alive(alive, layer.in) * layer.in.repeat * layer.taps * layer.positions;
  return identity;
}

}  // namespace

std::unique_ptr<nn::Model> shrink(const nn::Model& model, const nn::Architecture& architecture, const Network& network,
                                  const MaskSet& masks) {
  const Alive alive = alive_channels(network, masks);
  require_silent(model, network, masks, alive);
  const auto cuts = cuts_of(network, alive);
  nn::NamedTensors parameters = cut(model.parameters(), cuts, true), buffers = cut(model.buffers(), cuts, false);
  nn::Identity identity = smaller_identity(model, network, alive, parameters);
  return nn::assembled(with_zeros(architecture, network, alive), std::move(identity), std::move(parameters),
                       std::move(buffers));
}

}  // namespace retrial::pruning::inline tensors
