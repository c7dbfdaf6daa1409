#include <algorithm>
#include <cmath>
#include <numeric>

#include "workloads/pruning/methods/methods.hpp"

namespace retrial::pruning::inline methods {

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

namespace {

/// Scores that sum to 1 in each layer; a layer of zeros keeps zeros.
WeightScores normalised(WeightScores scores) {
  for (auto& layer : scores) {
    const double sum = std::accumulate(layer.begin(), layer.end(), 0.0);
    for (double& score : layer) score = sum > 0 ? score / sum : 0;
  }
  return scores;
}

WeightScores squares(const Sight& sight) {
  WeightScores scores = magnitude(sight);
  for (auto& layer : scores)
    for (double& score : layer) score *= score;
  return scores;
}

}  // namespace

/// |w| divided by its sum in the layer: probabilities.
WeightScores l1_shares(const Sight& sight) {
  return normalised(magnitude(sight));
}

/// w^2 divided by its sum in the layer.
WeightScores l2_shares(const Sight& sight) {
  return normalised(squares(sight));
}

/// The mean of both.
WeightScores l12_shares(const Sight& sight) {
  WeightScores first = l1_shares(sight);
  const WeightScores second = l2_shares(sight);
  for (std::size_t l = 0; l < first.size(); ++l)
    for (std::size_t e = 0; e < first[l].size(); ++e) first[l][e] = (first[l][e] + second[l][e]) / 2;
  return first;
}

}  // namespace retrial::pruning::inline methods
