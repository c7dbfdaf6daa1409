#include "workloads/pruning/network/size.hpp"

namespace retrial::pruning::inline network {
namespace {

std::optional<double> ratio_of(std::int64_t before, std::int64_t after) {
  if (after == 0) return std::nullopt;
  return static_cast<double>(before) / static_cast<double>(after);
}

}  // namespace

double compression_at(const Network& network, double prune_ratio) {
  const auto all = static_cast<double>(network.parameters);
  return all / (all - static_cast<double>(network.weights()) * prune_ratio / 100);
}

Size size_left(const Network& network, const Remains& left) {
  const Alive alive = alive_channels(network, left.masks);
  const std::vector<std::int64_t> counts = live_counts(network, left);
  std::int64_t before = 0;
  Size found{.live = live(network, left)};
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Layer& layer = network.layers[l];
    before += layer.weights() * layer.positions;
    found.macs += counts[l] * layer.positions;
    found.dense_macs += left.factorised() ? counts[l] * layer.positions
                                          : count_alive(alive, layer.out) * count_alive(alive, layer.in) *
                                                layer.in.repeat * layer.taps * layer.positions;
  }
  const auto alive_now = static_cast<double>(found.live), weights = static_cast<double>(network.weights()),
             all = static_cast<double>(network.parameters), rest = all - weights + alive_now;
  found.pr_weights = 1 - alive_now / weights;
  found.pr_all = 1 - rest / all;
  found.compression = all / rest;
  found.speedup_theory = ratio_of(before, found.macs);
  found.speedup_shrunk = ratio_of(before, found.dense_macs);
  return found;
}

}  // namespace retrial::pruning::inline network
