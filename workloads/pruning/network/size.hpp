#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/pruning/network/channels.hpp"
#include "workloads/pruning/network/remains.hpp"

namespace retrial::pruning::inline network {

/// What is left of a network. Shares are of 1. `live` counts masks, not values: a live weight may be exactly 0, and a
/// bias that is 0 is alive.
struct Size {
  std::int64_t live = 0;   ///< weights, or elements of factors
  double pr_weights = 0;   ///< 1 - live / prunable weights
  double pr_all = 0;       ///< 1 - (live + unprunable) / all parameters
  double compression = 1;  ///< all parameters / (live + unprunable)
  std::int64_t macs = 0;   ///< live weights times the positions they are used at: what a mask could save at best
  /// MACs of the network as it was / the same; absent where nothing lives.
  std::optional<double> speedup_theory;
  std::int64_t dense_macs = 0;  ///< of the network without channels that are gone: what shrinking saves for certain
  std::optional<double> speedup_shrunk;  ///< as above, by dense_macs
};
[[nodiscard]] Size size_left(const Network& network, const Remains& left);

}  // namespace retrial::pruning::inline network
