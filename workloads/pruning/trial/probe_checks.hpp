#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "workloads/interface/trial/probe.hpp"

/// Checks for the probe of pruning only: numbers in, at most one finding out. No LibTorch.
namespace retrial::pruning::inline trial {

/// chance-collapse: a pruned network is at chance level (within three standard deviations), but its parent is not.
/// Wrong answers of `images` with `classes` labels.
[[nodiscard]] std::optional<workloads::Finding> check_chance(const std::string& what, std::int64_t parent_wrong,
                                                             std::int64_t pruned_wrong, std::int64_t images,
                                                             int classes);

/// rewind-ignored: the weights after rewinding are not the requested ones; both as digests.
[[nodiscard]] std::optional<workloads::Finding> check_rewound(const std::string& what, const std::string& rewound,
                                                              const std::string& wanted);

/// mask-not-applied: a masked weight (mask 0) is not 0. mask-revived: a mask is 1 where it was 0 one step earlier.
/// Spans of equal length; `layer` names them.
[[nodiscard]] std::optional<workloads::Finding> check_masked(const std::string& layer, std::span<const float> weights,
                                                             std::span<const std::uint8_t> mask);
[[nodiscard]] std::optional<workloads::Finding> check_never_revived(const std::string& layer,
                                                                    std::span<const std::uint8_t> before,
                                                                    std::span<const std::uint8_t> after);

/// ratio-missed: |reached - requested| > 1 / prunable, both as shares kept.
[[nodiscard]] std::optional<workloads::Finding> check_ratio(double requested, std::int64_t kept, std::int64_t prunable);

}  // namespace retrial::pruning::inline trial
