#include <cmath>

#include "workloads/pruning/methods/methods.hpp"

namespace retrial::pruning::inline methods {

void add_row_scores(const Sight& sight, double (*of_weight)(double weight), ChannelScores& to) {
  for (std::size_t l = 0; l < sight.network.layers.size(); ++l) {
    const Layer& layer = sight.network.layers[l];
    double* scores = to[static_cast<std::size_t>(layer.out.group)].data() + layer.out.offset;
    const float* w = sight.weights[l].data();
    for (std::int64_t row = 0; row < layer.out.count; ++row)
      for (std::int64_t column = 0; column < layer.columns(); ++column) scores[row] += of_weight(double{*w++});
  }
}

/// l1 norm of the filter that writes a channel, or of all its filters if a group has several (Li, Kadav, Durdanovic,
/// Samet and Graf, "Pruning filters for efficient ConvNets", ICLR 2017).
ChannelScores filter_l1(const Sight& sight) {
  ChannelScores scores = channel_zeros(sight.network);
  add_row_scores(
      sight, [](double w) { return std::abs(w); }, scores);
  return scores;
}

/// l2 norm of the same filters (He, Kang, Dong, Fu and Yang, "Soft filter pruning", IJCAI 2018).
ChannelScores filter_l2(const Sight& sight) {
  ChannelScores scores = channel_zeros(sight.network);
  add_row_scores(
      sight, [](double w) { return w * w; }, scores);
  for (auto& group : scores)
    for (double& score : group) score = std::sqrt(score);
  return scores;
}

}  // namespace retrial::pruning::inline methods
