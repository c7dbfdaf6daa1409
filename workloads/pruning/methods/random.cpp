#include "variance/random/rng.hpp"
#include "workloads/pruning/methods/methods.hpp"

namespace retrial::pruning::inline methods {
namespace {

/// Element e gets `uniform_open` of word 0 of block(K, e, 0), K = derive(derive(P, name), step).
std::vector<double> drawn(const Sight& sight, const std::string& name, std::size_t count) {
  const std::uint64_t key = variance::derive(variance::derive(sight.prune, name), sight.step);
  std::vector<double> scores(count);
  for (std::size_t e = 0; e < count; ++e) scores[e] = variance::uniform_open(variance::block(key, e, 0)[0]);
  return scores;
}

}  // namespace

WeightScores random_weights(const Sight& sight) {
  WeightScores scores;
  for (const Layer& layer : sight.network.layers)
    scores.push_back(drawn(sight, layer.name, static_cast<std::size_t>(layer.weights())));
  return scores;
}

/// A group draws under the name of the first layer that writes it.
ChannelScores random_channels(const Sight& sight) {
  ChannelScores scores = channel_zeros(sight.network);
  std::vector<bool> done(scores.size());
  for (const Layer& layer : sight.network.layers) {
    const auto group = static_cast<std::size_t>(layer.out.group);
    if (done[group]) continue;
    scores[group] = drawn(sight, layer.name, scores[group].size());
    done[group] = true;
  }
  return scores;
}

}  // namespace retrial::pruning::inline methods
