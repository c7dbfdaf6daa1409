#include <algorithm>
#include <cmath>
#include <numeric>

#include "workloads/pruning/methods.hpp"

namespace retrial::prune {

WeightScores weight_zeros(const Network& network) {
  WeightScores zeros;
  for (const Layer& layer : network.layers) zeros.emplace_back(static_cast<std::size_t>(layer.weights()), 0.0);
  return zeros;
}

ChannelScores channel_zeros(const Network& network) {
  ChannelScores zeros;
  for (const Group& group : network.groups) zeros.emplace_back(static_cast<std::size_t>(group.size), 0.0);
  return zeros;
}

/// |w|.
WeightScores magnitude(const Sight& sight) {
  WeightScores scores;
  for (const auto weights : sight.weights) {
    std::vector<double>& layer = scores.emplace_back(weights.size());
    std::transform(weights.begin(), weights.end(), layer.begin(), [](float w) { return std::abs(double{w}); });
  }
  return scores;
}

/// w^2 / sum of v^2 over the weights v of the layer with v^2 >= w^2 (Lee, Park, Mo, Ahn and Shin, "Layer-adaptive
/// sparsity for the magnitude-based pruning", ICLR 2021). A layer of zeros scores 0.
WeightScores lamp(const Sight& sight) {
  WeightScores scores;
  for (const auto weights : sight.weights) {
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto square = [&](std::size_t e) { return double{weights[e]} * double{weights[e]}; };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return square(a) > square(b); });
    std::vector<double>& layer = scores.emplace_back(weights.size(), 0.0);
    double sum = 0;
    for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
      for (to = from; to < order.size() && square(order[to]) == square(order[from]); ++to) sum += square(order[to]);
      for (std::size_t i = from; i < to && sum > 0; ++i) layer[order[i]] = square(order[i]) / sum;
    }
  }
  return scores;
}

}  // namespace retrial::prune
