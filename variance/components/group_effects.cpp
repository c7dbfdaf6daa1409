#include "variance/components/group_effects.hpp"

#include <cmath>

#include "variance/components/components.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline components {
namespace {

/// Variance of group i less the mean of all G means, over the variance within: (1 - 1/G)^2 / k_i + the others' 1 / (G^2
/// k_j).
double effect_weight(const Clusters& groups, std::size_t i) {
  const double g = static_cast<double>(groups.size());
  double sum = 0.0;
  for (std::size_t j = 0; j < groups.size(); ++j) {
    const double share = (i == j ? 1.0 : 0.0) - 1.0 / g;
    sum += share * share / size_of(groups[j]);
  }
  return sum;
}

void set_bounds(Estimate& estimate, double weight, const GroupEffects& table, double alpha) {
  estimate.level = 1.0 - alpha;
  estimate.method = "pooled_t";
  if (!table.within) return;
  const double reach =
      student_quantile(1.0 - alpha / 2.0, static_cast<double>(table.df_within)) * std::sqrt(*table.within * weight);
  estimate.low = estimate.point - reach;
  estimate.high = estimate.point + reach;
}

}  // namespace

GroupEffects group_effects(const Clusters& groups, double alpha) {
  require_at_least("groups", static_cast<std::int64_t>(groups.size()), 2);
  const OneWay table = oneway(groups, alpha);
  GroupEffects out{.within = table.msw,
                   .df_between = table.clusters - 1,
                   .df_within = table.runs - table.clusters,
                   .level = 1.0 - alpha};
  if (table.msw && *table.msw > 0.0) {
    out.statistic = *table.msb / *table.msw;
    out.p = f_above(*out.statistic, static_cast<double>(out.df_between), static_cast<double>(out.df_within));
  }
  std::vector<double> means;
  for (const auto& group : groups) means.push_back(*mean(group));
  const double grand = *mean(means);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    GroupEffect one{.runs = static_cast<std::int64_t>(groups[i].size()),
                    .mean = {.point = means[i]},
                    .effect = {.point = means[i] - grand}};
    set_bounds(one.mean, 1.0 / size_of(groups[i]), out, alpha);
    set_bounds(one.effect, effect_weight(groups, i), out, alpha);
    out.groups.push_back(std::move(one));
  }
  return out;
}

}  // namespace retrial::variance::inline components
