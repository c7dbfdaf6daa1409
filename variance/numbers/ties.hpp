#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace retrial::variance::inline numbers {

/// Two scores are tied when they differ by at most this: half the declared resolution of the metric (its smallest step,
/// > 0), else 1e-12 of the largest magnitude, which absorbs the rounding of decimal data.
[[nodiscard]] double tie_tolerance(std::optional<double> resolution, std::span<const double> first,
                                   std::span<const double> second = {});

/// The tie group of each value, numbered from the smallest value. Neighbors in sorted order closer than the
/// tolerance share a group (chain rule). Values must be finite.
[[nodiscard]] std::vector<std::size_t> tie_groups(std::span<const double> values, double tolerance);

}  // namespace retrial::variance::inline numbers
