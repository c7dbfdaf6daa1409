#pragma once

#include <optional>
#include <span>
#include <vector>

#include "variance/numbers/estimate.hpp"

/// Several mean paired differences in one report: every variant against one, every effect of a grid.
namespace retrial::variance::inline many {

struct JointDifference {
  Estimate mean;        ///< paired t; all intervals of the family hold together at its level, by Bonferroni
  double p = 1.0;       ///< two-sided paired t of this difference alone; of equal differences that of their signs
  double p_holm = 1.0;  ///< adjusted for the family (Holm 1979); an interval that excludes 0 has p_holm <= alpha
};

/// One claim for each row of differences, in the order given. A row of fewer than two has no estimate, yet counts in
/// the family, so that no claim becomes easier because another one cannot be tested. Valid whatever the rows share:
/// neither equal variances nor equal correlations are assumed.
[[nodiscard]] std::vector<std::optional<JointDifference>> joint_differences(
    std::span<const std::vector<double>> differences, double alpha);

}  // namespace retrial::variance::inline many
