#include <cmath>

#include "workloads/pruning/methods/methods.hpp"

namespace retrial::pruning::inline methods {

/// |w * mean gradient|: the mean is taken over signed gradients of the samples (Lee, Ajanthan and Torr, "SNIP", ICLR
/// 2019).
WeightScores snip(const Sight& sight) {
  WeightScores scores = sight.mean_gradients(sight.samples);
  for (std::size_t l = 0; l < scores.size(); ++l)
    for (std::size_t e = 0; e < scores[l].size(); ++e)
      scores[l][e] = std::abs(scores[l][e] * double{sight.weights[l][e]});
  return scores;
}

}  // namespace retrial::pruning::inline methods
