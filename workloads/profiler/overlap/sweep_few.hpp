#pragma once

#include <optional>

#include "workloads/profiler/overlap/sweep.hpp"

namespace retrial::profiler::inline overlap {

/// sweep() for at most eight keys, whose sets are numbers below 256: their times are in an array, with no search.
/// Nothing for more keys, for a list that is not sorted by start, and for times that span 36 years (2^60 ns). No
/// interval ends before it starts.
[[nodiscard]] std::optional<Overlap> sweep_few(std::span<const SweepKey> keys);

}  // namespace retrial::profiler::inline overlap
