#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "variance/bootstrap/bootstrap.hpp"
#include "variance/numbers/estimate.hpp"

/// Metrics of pruned networks, from counts of errors only (Liebenwein, Baykal, Carter, Gifford and Rus, "Lost in
/// Pruning", MLSys 2021; Hendrycks and Dietterich, "Benchmarking Neural Network Robustness", ICLR 2019). PR is the
/// prune ratio, 1 - kept weights / prunable weights.
namespace retrial::pruning::inline measures {

/// One network of a cascade on one test distribution.
struct Step {
  double pr = 0;            ///< percent or a share; results have the same unit
  std::int64_t errors = 0;  ///< wrong answers
};

/// The grid step of a value: the largest PR of the grid at or below it (0 below all), and the smallest one above.
struct GridStep {
  double below = 0;
  std::optional<double> above;
};
[[nodiscard]] GridStep grid_step(double value, std::span<const Step> steps);

struct Potential {
  double max = 0;            ///< the largest PR that qualifies, 0 if none does: accepts one lucky deep step
  double first_failure = 0;  ///< the last one before the first that does not qualify
  GridStep grid;             ///< around max
  /// The deepest step qualifies, by either rule: the grid ends before the potential does, which is at least max.
  bool max_at_end = false, first_at_end = false;
};
/// Prune potential: a step qualifies if its error is at most the reference's plus delta_pp percentage points, both on
/// the same n images: errors * 100 <= ref_errors * 100 + delta n in whole numbers, with delta as the decimal that was
/// typed. Steps may be in any order; of equal PRs the better one counts. InvalidInput for n < 1, errors outside 0 .. n,
/// a PR that is negative or not finite, a delta outside -100 .. 100 or with more than 18 decimals.
[[nodiscard]] Potential potential(std::int64_t ref_errors, std::span<const Step> steps, std::int64_t n,
                                  double delta_pp);
/// The margins that are always tabulated, in percentage points, ascending; .5 is the judged one.
[[nodiscard]] std::span<const double> potential_deltas();

/// True if a parent is no better than chance: accuracy <= 1 / classes plus 3 standard deviations of a binomial share.
[[nodiscard]] bool at_chance(std::int64_t errors, std::int64_t n, int classes);

/// Excess error: the additional loss of a pruned network under a shift, compared with its parent, in the unit of the
/// errors.
[[nodiscard]] double excess_error(double pruned_shift, double pruned_nominal, double ref_shift, double ref_nominal);
/// Slope of the line through the origin, sum PR e / sum PR^2; absent if no PR differs from 0. InvalidInput for unequal
/// lengths and numbers that are not finite.
[[nodiscard]] std::optional<double> excess_slope(std::span<const double> pr, std::span<const double> e);
/// All steps of one seed.
struct Cascade {
  std::vector<double> pr, e;
};
/// The slope over all cascades with its bootstrap interval; whole cascades are drawn, never points of one, because the
/// steps of a cascade share their parent. No interval for one cascade. Absent without a cascade or if one has no slope.
[[nodiscard]] std::optional<variance::Estimate> excess_slope(std::span<const Cascade> cascades,
                                                             const variance::BootstrapOptions& options = {});

/// CE of one corruption: errors summed over its severities, divided by those of the reference network. Absent if the
/// denominator is not above 0. InvalidInput for unequal lengths.
[[nodiscard]] std::optional<double> corruption_error(std::span<const double> e, std::span<const double> ref);
struct CleanErrors {
  double network = 0, reference = 0;
};
/// Relative CE: the same for errors less the clean error of each network.
[[nodiscard]] std::optional<double> relative_corruption_error(std::span<const double> e, std::span<const double> ref,
                                                              const CleanErrors& clean);
/// mCE: the mean over corruptions; absent without any, or if one of them is absent: a mean of the others is another
/// number.
[[nodiscard]] std::optional<double> mean_corruption_error(std::span<const std::optional<double>> errors);

/// The range of a share in percent.
inline constexpr std::pair<double, double> percent_range{0, 100};
/// A mean over seeds, one value per pair index, with Student's interval, cut to the range of the values where they have
/// one: the mean is in it, so the level stays. Only the value for one seed and for values that do not vary.
/// InvalidInput without values.
[[nodiscard]] variance::Estimate over_seeds(std::span<const double> values, double alpha = 0.05,
                                            const std::optional<std::pair<double, double>>& range = {});

}  // namespace retrial::pruning::inline measures
