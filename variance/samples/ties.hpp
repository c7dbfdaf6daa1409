#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace retrial::variance::inline samples {

/// Two scores are tied when they differ by at most this: half the declared resolution of the metric (its smallest step,
/// > 0), else 1e-12 of the largest magnitude, which absorbs the rounding of decimal data.
[[nodiscard]] double tie_tolerance(std::optional<double> resolution, std::span<const double> first,
                                   std::span<const double> second = {});

/// The tie group of each value, numbered from the smallest value. Neighbors in sorted order closer than the
/// tolerance share a group (chain rule). Values must be finite.
[[nodiscard]] std::vector<std::size_t> tie_groups(std::span<const double> values, double tolerance);

/// Twice the mid-rank of each value (1 = smallest), so that ranks are integers and their sums exact. Ties within
/// `tolerance` by the chain rule of `tie_groups`.
[[nodiscard]] std::vector<std::int64_t> doubled_midranks(std::span<const double> values, double tolerance);

/// Sum of t^3 - t over groups of t equal doubled ranks.
[[nodiscard]] double tie_term(std::span<const std::int64_t> doubled_ranks);

}  // namespace retrial::variance::inline samples
