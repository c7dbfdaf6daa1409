#include <algorithm>
#include <numeric>

#include "workloads/pruning/methods/methods.hpp"
#include "workloads/pruning/methods/ratios.hpp"

namespace retrial::pruning::inline methods {

/// s_ij = max over samples, and over the two parts of the activations, of the mean over patches of a weight's share of
/// its neuron's input (Baykal, Liebenwein, Gilitschenski, Feldman and Rus, "SiPPing neural networks", 2019).
WeightScores sipp(const Sight& sight) {
  WeightScores scores = weight_zeros(sight.network);
  sight.each_patch([&](std::int64_t, std::size_t l, const Patches& patches) {
    const auto columns = static_cast<std::size_t>(sight.network.layers[l].columns());
    for (std::size_t row = 0; row * columns < sight.weights[l].size(); ++row) {
      double* to = scores[l].data() + row * columns;
      each_share(sight.weights[l].subspan(row * columns, columns), patches,
                 [&](std::int64_t j, std::span<const double> shares) {
                   const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
                   to[j] = std::max(to[j], sum / static_cast<double>(shares.size()));
                 });
    }
  });
  return scores;
}

}  // namespace retrial::pruning::inline methods
