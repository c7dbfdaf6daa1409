#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "workloads/pruning/allocation/principal.hpp"
#include "workloads/pruning/methods/group_scores.hpp"
#include "workloads/pruning/network/low_rank.hpp"
#include "workloads/pruning/network/network.hpp"

namespace retrial::pruning::inline methods {

/// The input of one layer for one sample: (columns, positions), row-major; column j belongs to column j of the weight.
/// A linear layer has one position.
struct Patches {
  std::vector<float> values;
  std::int64_t positions = 1;

  [[nodiscard]] const float* column(std::int64_t j) const { return values.data() + j * positions; }
};

/// The unchanged input of one layer for one sample: (channels, area) of a map, or one place per feature of a linear
/// layer.
struct InputMap {
  std::vector<float> values;
  std::int64_t area = 1;
};

/// The inputs of a method: the network before the step, and seeds for draws. The two functions run the network in
/// evaluation mode, in float32, one sample of the scoring set at a time and in order, so that scores depend neither on
/// threads nor on batches.
struct Sight {
  const Network& network;
  const MaskSet& masks;
  std::vector<std::span<const float>> weights;  ///< weights of each layer; masked ones are 0
  std::int64_t samples = 0;                     ///< size of the scoring set
  std::uint64_t prune = 0;                      ///< source seed of `prune`
  std::uint64_t sample = 0;                     ///< source seed of `sample`
  std::uint64_t step = 0;                       ///< 0-based index of the prune step
  std::int64_t batch = 0;                       ///< samples of the single batch that some methods use; all unless set
  Reduce reduce = Reduce::mean;
  Scaling scaling = Scaling::mean;
  std::vector<std::span<const float>> norm_scales = {};  ///< scales of each batch norm of the network
  std::vector<Rank> ranks = {};                          ///< rank of each layer of a factorized network

  /// visit(sample, layer, patches) for every sample and layer.
  using Visit = std::function<void(std::int64_t sample, std::size_t layer, const Patches& patches)>;
  std::function<void(const Visit& visit)> each_patch;
  /// visit(sample, layer, input) for the same.
  using VisitInput = std::function<void(std::int64_t sample, std::size_t layer, const InputMap& input)>;
  std::function<void(const VisitInput& visit)> each_input;
  /// Gradient of the cross entropy with respect to every weight, mean over the given number of first samples.
  std::function<std::vector<std::vector<double>>(std::int64_t samples)> mean_gradients;
  /// Singular values of each of this number of groups of consecutive columns of a layer's weight, descending, group
  /// after group. Throws TrialFailure("prune.nan_scores") naming the layer if a weight is not finite.
  std::function<std::vector<double>(std::size_t layer, std::int64_t groups)> singular_values;
  /// For every layer, over the scoring set.
  std::function<std::vector<Principal>()> principal_components;
};

/// One score per weight, zeros, in the shape of the network.
[[nodiscard]] WeightScores weight_zeros(const Network& network);
[[nodiscard]] ChannelScores channel_zeros(const Network& network);

/// Adds of_weight(w) over the row of every layer that writes a channel to the score of that channel.
void add_row_scores(const Sight& sight, double (*of_weight)(double weight), ChannelScores& to);

}  // namespace retrial::pruning::inline methods
