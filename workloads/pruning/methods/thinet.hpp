#pragma once

#include <cstdint>
#include <vector>

namespace retrial::pruning::inline methods {

/// x[c][t]: what input channel c adds to sampled output t.
using Contributions = std::vector<std::vector<double>>;

/// The greedy order of removal (Luo, Wu and Lin, "ThiNet", ICCV 2017): again and again the channel, of those `left`,
/// with which the removed ones together add least, sum over t of (sum over the removed of x)^2; ties to the lowest
/// index. What goes first is kept last.
[[nodiscard]] std::vector<std::int64_t> thinet_removals(const Contributions& x, std::vector<std::uint8_t> left);

}  // namespace retrial::pruning::inline methods
