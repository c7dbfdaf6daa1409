#pragma once

#include <optional>
#include <span>
#include <vector>

/// The score of AlgoPerf: the area under a performance profile up to four times the fastest. It depends on who is in
/// the pool, so it is a second opinion beside pairwise comparisons.
namespace retrial::variance::inline tables {

/// Times to the target, one per task; absent: the target was missed.
using PoolTimes = std::vector<std::optional<double>>;

struct PoolScore {
  std::vector<double> scores;       ///< one per submission, 0 to 1
  std::vector<std::size_t> nobody;  ///< tasks that nobody solved: they count 0 for all
};
/// score = mean over tasks of max(0, r_max - time / fastest time) / (r_max - 1), the exact integral of the profile.
/// InvalidInput without submissions or tasks, for unequal numbers of tasks, and times that are not above 0.
[[nodiscard]] PoolScore pool_score(std::span<const PoolTimes> times, double max_ratio = 4.0);

}  // namespace retrial::variance::inline tables
