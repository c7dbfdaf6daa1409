#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workloads/probe.hpp"

/// Checks that only the probe of pruning asks: numbers in, a finding or none out. No LibTorch.
namespace retrial::prune {

/// chance-collapse: a pruned network whose answers are those of chance (within three deviations), of a parent that knew
/// better. Wrong answers of `images` with `classes` labels.
[[nodiscard]] std::optional<workloads::Finding> check_chance(const std::string& what, std::int64_t parent_wrong,
                                                             std::int64_t pruned_wrong, std::int64_t images,
                                                             int classes);

/// rewind-ignored: the weights behind a rewinding are not those that were asked for; both as digests.
[[nodiscard]] std::optional<workloads::Finding> check_rewound(const std::string& what, const std::string& rewound,
                                                              const std::string& wanted);

}  // namespace retrial::prune
