// A network of linear layers for tests of scores and allocations, without LibTorch.
#pragma once

#include <deque>
#include <vector>

#include "workloads/pruning/methods/methods.hpp"

namespace retrial::test {

inline pruning::Network network_named(const std::string& model, const data::Shape& input = {1, 8, 8},
                                      int classes = 10) {
  return pruning::network_of(nn::parse_architecture(model, "model"), input, classes);
}

/// Layers of the given sizes (inputs first), with the given weights.
struct Toy {
  explicit Toy(const std::vector<std::int64_t>& sizes, std::vector<std::vector<float>> weights = {})
      : network(made(sizes)), masks(pruning::all_live(network)), values(std::move(weights)) {
    if (values.empty())
      for (const pruning::Layer& layer : network.layers)
        values.emplace_back(static_cast<std::size_t>(layer.weights()), 1.0F);
  }

  static pruning::Network made(const std::vector<std::int64_t>& sizes) {
    pruning::Network network;
    for (std::size_t l = 0; l < sizes.size(); ++l)
      network.groups.push_back({.size = sizes[l], .removable = l > 0 && l + 1 < sizes.size()});
    for (std::size_t l = 0; l + 1 < sizes.size(); ++l)
      network.layers.push_back({.name = "fc" + std::to_string(l + 1),
                                .out = {.group = static_cast<int>(l) + 1, .offset = 0, .count = sizes[l + 1]},
                                .in = {.group = static_cast<int>(l), .offset = 0, .count = sizes[l]}});
    return network;
  }

  /// `inputs[sample][layer]`: what each layer reads.
  [[nodiscard]] pruning::Sight sight(std::vector<std::vector<std::vector<float>>> inputs = {}) const {
    pruning::Sight made{.network = network, .masks = masks, .weights = {}};
    for (const auto& layer : values) made.weights.emplace_back(layer);
    made.samples = static_cast<std::int64_t>(inputs.size());
    made.each_patch = [inputs](const pruning::Sight::Visit& visit) {
      for (std::size_t s = 0; s < inputs.size(); ++s)
        for (std::size_t l = 0; l < inputs[s].size(); ++l)
          visit(static_cast<std::int64_t>(s), l, {.values = inputs[s][l], .positions = 1});
    };
    return made;
  }

  pruning::Network network;
  pruning::MaskSet masks;
  std::vector<std::vector<float>> values;
};

}  // namespace retrial::test
