#include "workloads/pruning/network/channels.hpp"

#include <algorithm>

namespace retrial::pruning::inline network {
namespace {

bool row_lives(const LayerMask& mask, std::int64_t row, std::int64_t columns) {
  const auto first = mask.bits.begin() + row * columns;
  return std::any_of(first, first + columns, [](std::uint8_t bit) { return bit != 0; });
}

const std::uint8_t* flags_of(const Alive& alive, const Channels& range) {
  return alive[static_cast<std::size_t>(range.group)].data() + range.offset;
}

void mask_layer(const Layer& layer, const Alive& alive, LayerMask& mask) {
  const std::uint8_t *rows = flags_of(alive, layer.out), *inputs = flags_of(alive, layer.in);
  const std::int64_t width = layer.in.repeat * layer.taps;  // columns of one input channel
  for (std::int64_t row = 0; row < layer.out.count; ++row)
    for (std::int64_t column = 0; column < layer.columns(); ++column)
      if (rows[row] == 0 || inputs[column / width] == 0)
        mask.bits[static_cast<std::size_t>(row * layer.columns() + column)] = 0;
}

}  // namespace

Alive alive_channels(const Network& network, const MaskSet& masks) {
  Alive alive;
  for (const Group& group : network.groups)
    alive.emplace_back(static_cast<std::size_t>(group.size), group.removable ? std::uint8_t{0} : std::uint8_t{1});
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Layer& layer = network.layers[l];
    std::uint8_t* flags = alive[static_cast<std::size_t>(layer.out.group)].data() + layer.out.offset;
    for (std::int64_t row = 0; row < layer.out.count; ++row)
      if (row_lives(masks.layers[l], row, layer.columns())) flags[row] = 1;
  }
  return alive;
}

MaskSet without_channels(const Network& network, MaskSet masks, const Alive& alive) {
  for (std::size_t l = 0; l < network.layers.size(); ++l) mask_layer(network.layers[l], alive, masks.layers[l]);
  return masks;
}

std::int64_t count_alive(const Alive& alive, const Channels& range) {
  const std::uint8_t* flags = flags_of(alive, range);
  return std::count(flags, flags + range.count, std::uint8_t{1});
}

std::int64_t size_of(const Network& network, const Alive& alive) {
  std::int64_t sum = 0;
  for (const Layer& layer : network.layers)
    sum += count_alive(alive, layer.out) * count_alive(alive, layer.in) * layer.in.repeat * layer.taps;
  return sum;
}

}  // namespace retrial::pruning::inline network
