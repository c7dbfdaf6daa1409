#include "workloads/pruning/size.hpp"

namespace retrial::prune {
namespace {

std::optional<double> ratio_of(std::int64_t before, std::int64_t after) {
  if (after == 0) return std::nullopt;
  return static_cast<double>(before) / static_cast<double>(after);
}

}  // namespace

Size size_left(const Network& network, const MaskSet& masks) {
  const Alive alive = alive_channels(network, masks);
  std::int64_t before = 0;
  Size found{.live = masks.live()};
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Layer& layer = network.layers[l];
    before += layer.weights() * layer.positions;
    found.macs += masks.layers[l].live() * layer.positions;
    found.dense_macs +=
        count_alive(alive, layer.out) * count_alive(alive, layer.in) * layer.in.repeat * layer.taps * layer.positions;
  }
  const auto live = static_cast<double>(found.live), weights = static_cast<double>(network.weights()),
             all = static_cast<double>(network.parameters), left = all - weights + live;
  found.pr_weights = 1 - live / weights;
  found.pr_all = 1 - left / all;
  found.compression = all / left;
  found.speedup_theory = ratio_of(before, found.macs);
  found.speedup_shrunk = ratio_of(before, found.dense_macs);
  return found;
}

}  // namespace retrial::prune
