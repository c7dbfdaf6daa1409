#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/pruning/network/channels.hpp"
#include "workloads/pruning/network/remains.hpp"

namespace retrial::pruning::inline network {

/// The size of a pruned network. Shares are between 0 and 1. `live` counts masks, not values: a live weight may be
/// exactly 0, and a bias of 0 is live.
struct Size {
  std::int64_t live = 0;   ///< weights, or elements of factors
  double pr_weights = 0;   ///< 1 - live / prunable weights
  double pr_all = 0;       ///< 1 - (live + unprunable) / all parameters
  double compression = 1;  ///< all parameters / (live + unprunable)
  std::int64_t macs = 0;   ///< live weights times their positions: the best possible saving by masks
  /// MACs of the original network divided by these; absent if nothing is live.
  std::optional<double> speedup_theory;
  std::int64_t dense_macs = 0;           ///< network without removed channels: the certain saving by shrinking
  std::optional<double> speedup_shrunk;  ///< as above, by dense_macs
};
/// Compression of a network that has lost this percentage of its prunable weights.
[[nodiscard]] double compression_at(const Network& network, double prune_ratio);
[[nodiscard]] Size size_left(const Network& network, const Remains& left);

}  // namespace retrial::pruning::inline network
