#pragma once

#include <cstdint>
#include <vector>

#include "variance/random/rng.hpp"
#include "workloads/pruning/allocation/allocation.hpp"

namespace retrial::pruning::inline methods {

/// The sample complexity of provable filter pruning (Liebenwein, Baykal, Lang, Feldman and Rus, ICLR 2020), with
/// C = 3, K = 3 and delta = 1e-16. `patches` p, `taps` k, `sum` of the channels' scores.
///     S~ = 2 C ln(8 (p + 1) k / delta) sum,  m(eps) = max(1, ceil(K (6 + 2 eps) S~ / eps^2))
[[nodiscard]] double pfp_sensitivity(std::int64_t patches, std::int64_t taps, double sum);
[[nodiscard]] double pfp_draws(double sensitivity, double epsilon);

/// Expected number of distinct channels in m draws with replacement: sum over j of 1 - (1 - q_j)^m.
[[nodiscard]] double expected_distinct(const std::vector<double>& q, double m);

/// One error bound for all layers: n = clamp(floor(expected distinct), 1, remaining channels), with the bound bisected
/// on its logarithm (200 steps from 1e-300 to 1e150) for the largest network that fits keep * weights; each group keeps
/// its n best channels. A group whose scores are all 0 keeps one, with a warning.
[[nodiscard]] Allocation keep_by_bound(const Network& network, const ChannelScores& scores, const MaskSet& current,
                                       double keep);

/// The result of that bound for each group: the number of kept channels, and the draws that are expected to give them
/// (infinite if the bound is so tight that all are kept). 0 for groups that are not removable.
struct BoundCounts {
  std::vector<std::int64_t> kept;
  std::vector<double> draws;
};
[[nodiscard]] BoundCounts counts_by_bound(const Network& network, const ChannelScores& scores, const MaskSet& current,
                                          double keep);

/// Channels drawn by scores `q` (one per channel, 0 for removed ones): those that occur in `draws` draws; with `topped`
/// those with a share of at least 1 / M, where M is the smallest number of draws expected to give `kept`, and others
/// drawn until there are `kept`. A number of draws that must include every channel takes all of them.
[[nodiscard]] std::vector<std::uint8_t> drawn_channels(const std::vector<double>& q, std::int64_t kept, double draws,
                                                       bool topped, variance::Stream& from);

}  // namespace retrial::pruning::inline methods
