#include <algorithm>
#include <cmath>

#include "variance/groups/group_parts.hpp"
#include "variance/groups/groups.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::variance::inline groups {
namespace {

/// The chi-squared law of smaller groups is a rough approximation.
constexpr std::size_t enough_runs = 5;

/// All scores in ranks, 1 = lowest.
struct RankedGroups {
  std::vector<double> mean_ranks;
  double n = 0.0;     ///< scores in all groups
  double ties = 0.0;  ///< sum of t^3 - t over the groups of tied scores
};

RankedGroups ranked_groups(std::span<const std::vector<double>> groups, std::optional<double> resolution) {
  require_groups(groups);
  std::vector<double> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  const auto doubled = doubled_midranks(all, tie_tolerance(resolution, all));
  RankedGroups out{.mean_ranks = {}, .n = size_of(all), .ties = tie_term(doubled)};
  auto rank = doubled.begin();
  for (const auto& group : groups) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < group.size(); ++i) sum += *rank++;
    out.mean_ranks.push_back(static_cast<double>(sum) / 2.0 / size_of(group));
  }
  return out;
}

}  // namespace

std::vector<double> mean_ranks_of_groups(std::span<const std::vector<double>> groups,
                                         std::optional<double> resolution) {
  return ranked_groups(groups, resolution).mean_ranks;
}

TestResult kruskal_wallis(std::span<const std::vector<double>> groups, std::optional<double> resolution) {
  const RankedGroups ranks = ranked_groups(groups, resolution);
  const double n = ranks.n, untied = 1.0 - ranks.ties / (n * n * n - n);
  if (untied <= 0.0) return {.method = "Kruskal-Wallis", .note = "all scores are tied"};
  double between = 0.0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double centered = ranks.mean_ranks[g] - (n + 1.0) / 2.0;
    between += size_of(groups[g]) * centered * centered;
  }
  const double h = 12.0 / (n * (n + 1.0)) * between / untied, df = static_cast<double>(groups.size()) - 1.0;
  TestResult result{.statistic = h, .df = df, .p_two = chi_squared_above(h, df), .method = "Kruskal-Wallis"};
  if (std::ranges::any_of(groups, [](const auto& group) { return group.size() < enough_runs; }))
    result.note = "chi-squared is a rough approximation for groups of fewer than " + std::to_string(enough_runs) +
                  " runs, most often with too large a p";
  return result;
}

std::vector<PairOfRanks> dunn(std::span<const std::vector<double>> groups, Adjustment how,
                              std::optional<double> resolution) {
  const RankedGroups ranks = ranked_groups(groups, resolution);
  const double variance = ranks.n * (ranks.n + 1.0) / 12.0 - ranks.ties / (12.0 * (ranks.n - 1.0));
  std::vector<PairOfRanks> pairs;
  std::vector<double> p;
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t j = i + 1; j < groups.size(); ++j) {
      PairOfRanks pair{.first = i, .second = j, .difference = ranks.mean_ranks[i] - ranks.mean_ranks[j], .z = {}};
      if (variance > 0.0) {
        pair.z = pair.difference / std::sqrt(variance * (1.0 / size_of(groups[i]) + 1.0 / size_of(groups[j])));
        pair.p = 2.0 * normal_cdf(-std::fabs(*pair.z));
      }
      pairs.push_back(pair);
      p.push_back(pair.p);
    }
  p = adjusted(p, how);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].p_adjusted = p[i];
  return pairs;
}

}  // namespace retrial::variance::inline groups
