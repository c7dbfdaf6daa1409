#include <algorithm>
#include <cmath>

#include "variance/groups/group_parts.hpp"
#include "variance/groups/groups.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline groups {
namespace {

/// Mean of a group, the variance of that mean, and its degrees of freedom.
struct GroupMean {
  double mean, variance, df;
};

std::vector<GroupMean> group_means(std::span<const std::vector<double>> groups) {
  require_groups(groups);
  std::vector<GroupMean> out;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto [mean, variance] = *moments(groups[g]);
    if (variance == 0.0)
      throw InvalidInput("groups[" + std::to_string(g) + "]", "no spread", "scores that are not all equal");
    out.push_back({mean, variance / size_of(groups[g]), size_of(groups[g]) - 1.0});
  }
  return out;
}

}  // namespace

TestResult welch_anova(std::span<const std::vector<double>> groups) {
  const auto means = group_means(groups);
  const double k = static_cast<double>(means.size());
  double weight = 0.0, center = 0.0, between = 0.0, unsure = 0.0;
  for (const GroupMean& g : means) weight += 1.0 / g.variance;
  for (const GroupMean& g : means) center += g.mean / g.variance / weight;
  for (const GroupMean& g : means) {
    between += (g.mean - center) * (g.mean - center) / g.variance;
    const double rest = 1.0 - 1.0 / g.variance / weight;
    unsure += rest * rest / g.df;
  }
  const double f = between / (k - 1.0) / (1.0 + 2.0 * (k - 2.0) / (k * k - 1.0) * unsure);
  const double within = (k * k - 1.0) / (3.0 * unsure);
  return {.statistic = f,
          .df = k - 1.0,
          .df_within = within,
          .p_two = f_above(f, k - 1.0, within),
          .method = "Welch's analysis of variance"};
}

std::vector<PairOfMeans> games_howell(std::span<const std::vector<double>> groups, double alpha) {
  require_resolved_alpha(alpha);
  const auto means = group_means(groups);
  const StudentisedRange range(std::ssize(means));
  std::vector<PairOfMeans> out;
  for (std::size_t i = 0; i < means.size(); ++i)
    for (std::size_t j = i + 1; j < means.size(); ++j) {
      const GroupMean &a = means[i], &b = means[j];
      const double both = a.variance + b.variance, difference = a.mean - b.mean, se = std::sqrt(both / 2.0);
      // At least the smaller of both degrees of freedom, which is 1 or more; rounding must not undercut that.
      const double df = std::max(1.0, both * both / (a.variance * a.variance / a.df + b.variance * b.variance / b.df));
      const double half = range.quantile(1.0 - alpha, df) * se;
      out.push_back({.first = i,
                     .second = j,
                     .difference = {.point = difference,
                                    .low = difference - half,
                                    .high = difference + half,
                                    .level = 1.0 - alpha,
                                    .method = "Games-Howell"},
                     .p = resolved_p(1.0 - range.cdf(std::fabs(difference) / se, df))});
    }
  return out;
}

}  // namespace retrial::variance::inline groups
