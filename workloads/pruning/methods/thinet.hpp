#pragma once

#include <cstdint>
#include <vector>

namespace retrial::pruning::inline methods {

/// x[c][t]: contribution of input channel c to sampled output t.
using Contributions = std::vector<std::vector<double>>;

/// The greedy order of removal (Luo, Wu and Lin, "ThiNet", ICCV 2017): each time the channel of those `left` that makes
/// the contribution of all removed ones smallest, sum over t of (sum over the removed of x)^2; ties to the lowest
/// index. The first removed channel has the lowest rank.
[[nodiscard]] std::vector<std::int64_t> thinet_removals(const Contributions& x, std::vector<std::uint8_t> left);

}  // namespace retrial::pruning::inline methods
