#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "variance/components/algebra.hpp"
#include "variance/numbers/estimate.hpp"

namespace retrial::variance::inline components {

/// The effect of one group of runs (all that share one seed of a source) relative to the others.
struct GroupEffect {
  std::int64_t runs = 0;
  Estimate mean;    ///< mean of its runs; t interval
  Estimate effect;  ///< its mean less the mean of all group means; t interval
};

/// The fixed effects of a one-way table (Scheffe, The Analysis of Variance, 1959, chapter 3): both intervals from the
/// pooled variance within groups, on N - G degrees of freedom, each at its own level: among many groups some intervals
/// exclude 0 by chance, so `p` tests all groups at once. No bounds, statistic and p if no group has two runs; no
/// statistic and p if the runs of every group are equal.
struct GroupEffects {
  std::vector<GroupEffect> groups;     ///< in the order given
  std::optional<double> within;        ///< pooled variance
  std::optional<double> statistic, p;  ///< F = MSB / MSW, and P(F or more) if all groups are equal
  std::int64_t df_between = 0, df_within = 0;
  double level = 0.95;
};

/// At least two groups, none empty, or InvalidInput.
[[nodiscard]] GroupEffects group_effects(const Clusters& groups, double alpha = 0.05);

}  // namespace retrial::variance::inline components
