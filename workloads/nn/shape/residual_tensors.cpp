#include "workloads/nn/shape/residual_tensors.hpp"

#include <algorithm>
#include <utility>

#include "variance/numbers/error.hpp"

namespace retrial::nn::inline shape {
namespace {

using Block = Residual::Block;

/// Separate parameters and buffers, because a model lists its buffers last.
struct Tensors {
  std::vector<TensorSpec> trained, buffers;

  void conv(const std::string& layer, std::int64_t in, std::int64_t out, std::int64_t kernel) {
    trained.push_back({.name = layer + ".weight",
                       .sizes = {out, in, kernel, kernel},
                       .start = Start::he_fan_out,
                       .fan_out = kernel * kernel * out});
  }
  void norm(const std::string& layer, std::int64_t channels) {
    trained.push_back({.name = layer + ".weight", .sizes = {channels}, .start = Start::one});
    trained.push_back({.name = layer + ".bias", .sizes = {channels}, .start = Start::zero});
    buffers.push_back({.name = layer + ".running_mean", .sizes = {channels}, .start = Start::zero, .trained = false});
    buffers.push_back({.name = layer + ".running_var", .sizes = {channels}, .start = Start::one, .trained = false});
  }
};

/// In the order conv1, bn1, conv2, bn2, ... for every block, whatever the order of its forward pass.
void add_unit(Tensors& tensors, const Unit& unit, Block block) {
  const std::string at = unit.name + ".";
  if (block == Block::bottleneck) {
    tensors.conv(at + "conv1", unit.in, unit.width, 1);
    tensors.norm(at + "bn1", unit.width);
    tensors.conv(at + "conv2", unit.width, unit.width, 3);
    tensors.norm(at + "bn2", unit.width);
    tensors.conv(at + "conv3", unit.width, unit.out, 1);
    tensors.norm(at + "bn3", unit.out);
  } else {
    tensors.conv(at + "conv1", unit.in, unit.width, 3);
    tensors.norm(at + "bn1", block == Block::wide ? unit.in : unit.width);
    tensors.conv(at + "conv2", unit.width, unit.out, 3);
    tensors.norm(at + "bn2", block == Block::wide ? unit.width : unit.out);
  }
  if (!unit.projects) return;
  tensors.conv(at + "shortcut", unit.in, unit.out, 1);
  if (block != Block::wide) tensors.norm(at + "shortcut_bn", unit.out);
}

/// Height and width of the output map of the last stage.
std::pair<std::int64_t, std::int64_t> last_map(const Residual& net, const data::Shape& input) {
  std::int64_t height = input.height, width = input.width;
  for (std::size_t stage = 1; stage < net.widths.size(); ++stage) {
    height = halved(height);
    width = halved(width);
  }
  return {height, width};
}

/// Parameters and multiply-accumulates of one block without its shortcut; `before` and `after` are the areas of the map
/// that enters and leaves it.
std::pair<std::int64_t, std::int64_t> cost_of(const Unit& unit, Block block, std::int64_t before, std::int64_t after) {
  const std::int64_t c = unit.in, w = unit.width, o = unit.out;
  if (block == Block::bottleneck)
    return {c * w + 9 * w * w + w * o + 4 * w + 2 * o, c * w * before + (9 * w * w + w * o) * after};
  const std::int64_t weights = 9 * c * w + 9 * w * w;
  return {weights + (block == Block::wide ? 2 * c + 2 * w : 4 * w), weights * after};
}

std::string block_name(const Residual& net) {
  static const std::vector<std::string> names{"basic", "bottleneck", "pre-activation"};
  return names[static_cast<std::size_t>(net.block)] + (net.closing_relu ? "" : " without closing ReLU");
}

}  // namespace

std::int64_t residual_features(const Architecture& architecture, const data::Shape& input) {
  const Residual& net = *architecture.residual;
  const std::int64_t channels = net.out(net.widths.size() - 1);
  if (net.window == 0) return channels;
  const auto [height, width] = last_map(net, input);
  if (height % net.window != 0 || width % net.window != 0)
    throw InvalidInput("model", architecture.name, "a data set whose image sides are divisible by 16");
  return channels * (height / net.window) * (width / net.window);
}

std::vector<TensorSpec> residual_tensors(const Architecture& architecture, const data::Shape& input, int classes) {
  const Residual& net = *architecture.residual;
  const std::int64_t features = residual_features(architecture, input);
  Tensors tensors;
  tensors.conv("conv1", input.channels, net.stem, 3);
  if (net.block != Block::wide) tensors.norm("bn1", net.stem);
  for (const Unit& unit : units_of(net)) add_unit(tensors, unit, net.block);
  if (net.block == Block::wide) tensors.norm("bn", net.out(net.widths.size() - 1));
  std::vector<TensorSpec> all = std::move(tensors.trained);
  all.push_back({.name = "classifier.weight", .sizes = {classes, features}, .fan_in = features});
  all.push_back({.name = "classifier.bias", .sizes = {classes}, .fan_in = features});
  all.insert(all.end(), tensors.buffers.begin(), tensors.buffers.end());
  return all;
}

Identity residual_identity(const Architecture& architecture, const data::Shape& input, int classes) {
  const Residual& net = *architecture.residual;
  const bool wide = net.block == Block::wide;
  const std::int64_t features = residual_features(architecture, input), stem = 9 * input.channels * net.stem;
  std::int64_t height = input.height, width = input.width, area = height * width;
  Identity found{
      .name = architecture.name,
      .parameters = stem + 2 * (wide ? net.out(net.widths.size() - 1) : net.stem) + features * classes + classes,
      .macs = stem * area + features * classes,
      .depth = net.depth,
      .block = block_name(net),
      .shortcut = wide                                      ? "1x1"
                  : net.shortcut == Residual::Shortcut::pad ? "A"
                                                            : "B"};
  for (const Unit& unit : units_of(net)) {
    const std::int64_t before = area;
    if (unit.stride == 2) {
      height = halved(height);
      width = halved(width);
      area = height * width;
    }
    const auto [parameters, macs] = cost_of(unit, net.block, before, area);
    found.parameters += parameters + (unit.projects ? unit.in * unit.out + (wide ? 0 : 2 * unit.out) : 0);
    found.macs += macs + (unit.projects ? unit.in * unit.out * area : 0);
  }
  return found;
}

}  // namespace retrial::nn::inline shape
