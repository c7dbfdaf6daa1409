#pragma once

#include <cstdint>

/// Power of rank tests for normal scores. `level` is alpha per directional claim. `effect` is a difference of means
/// over a standard deviation: of the paired differences, or of the runs of one variant (equal spreads). InvalidInput
/// for a level outside (0, .5) and an effect that is not finite.
namespace retrial::variance::inline designs {

/// Most pairs, and runs of each variant, for which the law of the statistic is integrated; above, it is taken as normal
/// with its exact mean and variance (Lehmann 1998, 2.3 and 4.2). Integrated powers are within .0005, sizes exact;
/// normal ones within .005.
inline constexpr std::int64_t max_integrated_pairs = 60, max_integrated_runs = 20;

/// P(Wilcoxon's signed-rank test of n >= 1 pairs says BETTER). Integrated: the differences are placed by ascending
/// size, each plus or minus by its density, on a grid of sizes.
[[nodiscard]] double signed_rank_power(std::int64_t pairs, double effect, double level);
/// P(Mann and Whitney's test of n >= 1 runs of each variant says BETTER). Integrated: the runs of both variants are
/// placed by ascending score.
[[nodiscard]] double rank_sum_power(std::int64_t runs, double effect, double level);

}  // namespace retrial::variance::inline designs
