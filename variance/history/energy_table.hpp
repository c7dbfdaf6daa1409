#pragma once

#include <cstddef>
#include <optional>
#include <span>

/// For .cpp files of change points.
namespace retrial::variance::inline history {

struct EnergySplit {
  std::size_t index = 0, end = 0;  ///< values before `index` against values in [index, end)
  double statistic = 0.0;
};
/// Largest U-form energy statistic over all splits and ends, ties by (index, end) order; absent below two values.
/// O(n^2) time and memory.
[[nodiscard]] std::optional<EnergySplit> best_energy_split(std::span<const double> values);

}  // namespace retrial::variance::inline history
