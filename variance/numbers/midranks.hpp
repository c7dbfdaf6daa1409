#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace retrial::variance::inline numbers {

/// Twice the mid-rank of each value (1 = smallest), so that ranks are integers and their sums exact. Ties within
/// `tolerance` by the chain rule of `tie_groups`.
[[nodiscard]] std::vector<std::int64_t> doubled_midranks(std::span<const double> values, double tolerance);

/// Sum of t^3 - t over groups of t equal doubled ranks.
[[nodiscard]] double tie_term(std::span<const std::int64_t> doubled_ranks);

}  // namespace retrial::variance::inline numbers
