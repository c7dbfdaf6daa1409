#pragma once

#include <string>
#include <vector>

#include "workloads/pruning/network/low_rank.hpp"
#include "workloads/pruning/network/masks.hpp"

namespace retrial::pruning::inline network {

/// The remaining weights of a network: the live ones under masks, or factors instead of weights; then nothing is
/// masked.
struct Remains {
  MaskSet masks;
  std::vector<Rank> ranks = {};  ///< rank of each layer; empty: no layer is factorized

  [[nodiscard]] bool factorised() const { return !ranks.empty(); }
};

/// Number of trainable values in each layer: live weights, or elements of its factors.
[[nodiscard]] std::vector<std::int64_t> live_counts(const Network& network, const Remains& left);
[[nodiscard]] std::int64_t live(const Network& network, const Remains& left);

/// The masks, or the ranks, as text, and their digest: that of the masks, or SHA-256 of the ranks' text.
[[nodiscard]] std::string text_of(const Network& network, const Remains& left);
[[nodiscard]] std::string digest_of(const Network& network, const Remains& left);

}  // namespace retrial::pruning::inline network
