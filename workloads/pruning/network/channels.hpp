#pragma once

#include <cstdint>
#include <vector>

#include "workloads/pruning/network/masks.hpp"

namespace retrial::pruning::inline network {

/// One flag a channel, group by group: 1 where it is still there.
using Alive = std::vector<std::vector<std::uint8_t>>;

/// A channel is gone when every layer that writes it has its whole row masked. Pixels and classes always stay.
[[nodiscard]] Alive alive_channels(const Network& network, const MaskSet& masks);

/// Masks what a channel that is gone has written or read: its row in each layer that writes it and its columns in each
/// that reads it, so that no constant it carries reaches anything.
[[nodiscard]] MaskSet without_channels(const Network& network, MaskSet masks, const Alive& alive);

/// Channels of the range that are there.
[[nodiscard]] std::int64_t count_alive(const Alive& alive, const Channels& range);

/// Weights of a network whose channels are these: the sum of in * out * taps.
[[nodiscard]] std::int64_t size_of(const Network& network, const Alive& alive);

}  // namespace retrial::pruning::inline network
