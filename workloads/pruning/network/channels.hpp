#pragma once

#include <cstdint>
#include <vector>

#include "workloads/pruning/network/masks.hpp"

namespace retrial::pruning::inline network {

/// One flag per channel, group by group: 1 if it remains.
using Alive = std::vector<std::vector<std::uint8_t>>;

/// A channel is removed if every layer that writes it has its whole row masked. Pixels and classes always remain.
[[nodiscard]] Alive alive_channels(const Network& network, const MaskSet& masks);

/// Masks the weights of removed channels: the row in each layer that writes a channel and the columns in each that
/// reads it, so that none of its constants has an effect.
[[nodiscard]] MaskSet without_channels(const Network& network, MaskSet masks, const Alive& alive);

/// Remaining channels of the range.
[[nodiscard]] std::int64_t count_alive(const Alive& alive, const Channels& range);

/// Number of weights of a network with these channels: the sum of in * out * taps.
[[nodiscard]] std::int64_t size_of(const Network& network, const Alive& alive);

}  // namespace retrial::pruning::inline network
