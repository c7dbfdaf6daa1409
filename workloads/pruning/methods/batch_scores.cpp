#include <cmath>

#include "workloads/pruning/methods/methods.hpp"

/// The magnitudes of ShrinkBench that use one batch of the scoring set (Blalock, Gonzalez Ortiz, Frankle and Guttag,
/// "What is the state of neural network pruning?", MLSys 2020).
namespace retrial::pruning::inline methods {

/// |w * gradient|, with the mean gradient over the batch.
WeightScores magnitude_gradient(const Sight& sight) {
  WeightScores scores = sight.mean_gradients(sight.batch);
  for (std::size_t l = 0; l < scores.size(); ++l)
    for (std::size_t e = 0; e < scores[l].size(); ++e)
      scores[l][e] = std::abs(scores[l][e] * double{sight.weights[l][e]});
  return scores;
}

namespace {

/// The inputs of a layer per channel, summed over the samples of a batch.
struct InputMaps {
  std::vector<double> sums;
  std::int64_t area = 1;
};

std::vector<InputMaps> input_maps(const Sight& sight) {
  std::vector<InputMaps> maps(sight.network.layers.size());
  sight.each_input([&](std::int64_t sample, std::size_t l, const InputMap& input) {
    if (sample >= sight.batch) return;
    maps[l].area = input.area;
    maps[l].sums.resize(input.values.size());
    for (std::size_t i = 0; i < input.values.size(); ++i) maps[l].sums[i] += double{input.values[i]};
  });
  return maps;
}

/// l1 norm of the mean map, divided by its area.
double activation_of(const InputMaps& maps, std::int64_t channel, std::int64_t samples) {
  double sum = 0;
  for (std::int64_t place = 0; place < maps.area; ++place)
    sum += std::abs(maps.sums[static_cast<std::size_t>(channel * maps.area + place)]);
  return sum / static_cast<double>(samples * maps.area);
}

}  // namespace

/// |w| times the activation of the channel it reads. A feature of a linear layer is a channel of one place.
WeightScores magnitude_activation(const Sight& sight) {
  WeightScores scores = magnitude(sight);
  const std::vector<InputMaps> maps = input_maps(sight);
  for (std::size_t l = 0; l < scores.size(); ++l) {
    const Layer& layer = sight.network.layers[l];
    const std::int64_t channels = layer.in.count * layer.in.repeat;
    std::vector<double> activations;
    for (std::int64_t c = 0; c < channels; ++c) activations.push_back(activation_of(maps[l], c, sight.batch));
    for (std::size_t e = 0; e < scores[l].size(); ++e)
      scores[l][e] *= activations[e / static_cast<std::size_t>(layer.taps) % static_cast<std::size_t>(channels)];
  }
  return scores;
}

}  // namespace retrial::pruning::inline methods
