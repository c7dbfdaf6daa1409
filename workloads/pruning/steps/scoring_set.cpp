#include "workloads/pruning/steps/scoring_set.hpp"

#include <algorithm>
#include <cmath>

#include "variance/random/rng.hpp"

namespace retrial::pruning::inline steps {

Neurons neurons_of(const Network& network) {
  Neurons found;
  for (const Layer& layer : network.layers) {
    const std::int64_t neurons = layer.out.count * layer.positions;
    found.max = std::max(found.max, neurons);
    found.total += neurons;
  }
  return found;
}

double sample_bound(const Neurons& neurons) {
  constexpr double c = 3, failure = 1e-16;
  return c * std::log(8 * static_cast<double>(neurons.max) * static_cast<double>(neurons.total) / failure);
}

std::int64_t sample_size(const Neurons& neurons, std::int64_t rows) {
  return std::min(static_cast<std::int64_t>(std::ceil(sample_bound(neurons))), rows / 2);
}

std::vector<std::uint32_t> scoring_set(std::uint64_t seed, std::int64_t rows, std::int64_t count) {
  auto places = variance::permutation(variance::derive(seed, "scoring-set"), static_cast<std::uint32_t>(rows));
  places.resize(static_cast<std::size_t>(std::min(count, rows)));
  return places;
}

}  // namespace retrial::pruning::inline steps
