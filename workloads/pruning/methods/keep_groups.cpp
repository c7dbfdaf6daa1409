#include <algorithm>
#include <cmath>

#include "workloads/pruning/methods/group_scores.hpp"

namespace retrial::pruning::inline methods {
namespace {

/// A channel among those of all groups.
struct Ranked {
  double score;
  std::size_t group;
  std::int64_t channel;
};

std::vector<Ranked> pool(const Network& network, const ChannelScores& scores, const Alive& alive) {
  std::vector<Ranked> all;
  for (std::size_t g = 0; g < scores.size(); ++g)
    for (std::size_t c = 0; network.groups[g].removable && c < scores[g].size(); ++c)
      if (alive[g][c] != 0) all.push_back({scores[g][c], g, static_cast<std::int64_t>(c)});
  std::stable_sort(all.begin(), all.end(), [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  return all;
}

}  // namespace

std::int64_t kept_of_group(std::int64_t wanted, std::int64_t size, const GroupRule& rule) {
  const auto min_kept =
      static_cast<std::int64_t>(std::ceil((1 - rule.max_group_ratio) * static_cast<double>(size) - 1e-9));
  const std::int64_t kept = std::max({wanted, min_kept, std::int64_t{1}});
  return std::min(size, (kept + rule.round_to - 1) / rule.round_to * rule.round_to);
}

Allocation keep_groups(const Network& network, const ChannelScores& scores, const MaskSet& current, double keep,
                       bool pooled, const GroupRule& rule) {
  const Alive alive = alive_channels(network, current);
  const Rankings rankings = rankings_of(network, scores, alive);
  const std::vector<Ranked> all = pooled ? pool(network, scores, alive) : std::vector<Ranked>{};
  const auto kept_at = [&](double share) {
    std::vector<std::int64_t> counts(network.groups.size());
    const auto first = static_cast<std::size_t>(share * static_cast<double>(all.size()) + .5);
    for (std::size_t i = 0; i < first; ++i) ++counts[all[i].group];
    for (std::size_t g = 0; g < counts.size(); ++g) {
      const std::int64_t size = network.groups[g].size, same = std::llround(share * static_cast<double>(size));
      counts[g] = kept_of_group(pooled ? counts[g] : same, size, rule);
    }
    return first_channels(network, rankings, counts);
  };
  return {
      .masks = without_channels(network, current, largest_fitting(network, keep, kept_at)), .moved = 0, .warnings = {}};
}

}  // namespace retrial::pruning::inline methods
