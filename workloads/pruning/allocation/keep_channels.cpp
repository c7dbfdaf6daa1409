#include <algorithm>
#include <cmath>
#include <utility>

#include "workloads/interface/trial/trial.hpp"
#include "workloads/pruning/allocation/allocation.hpp"

namespace retrial::pruning::inline allocation {
namespace {

/// A layer whose range of a shared group lost everything gets its best channel back.
void rescue(const Channels& range, const std::vector<std::int64_t>& order, std::vector<std::uint8_t>& flags) {
  const auto inside = [&](std::int64_t c) { return c >= range.offset && c < range.offset + range.count; };
  for (std::int64_t c = range.offset; c < range.offset + range.count; ++c)
    if (flags[static_cast<std::size_t>(c)] != 0) return;
  if (const auto best = std::find_if(order.begin(), order.end(), inside); best != order.end())
    flags[static_cast<std::size_t>(*best)] = 1;
}

std::vector<std::int64_t> share_of(const Network& network, double r) {
  std::vector<std::int64_t> counts;
  for (const Group& group : network.groups)
    counts.push_back(std::max<std::int64_t>(1, std::llround(r * static_cast<double>(group.size))));
  return counts;
}

}  // namespace

std::vector<std::int64_t> ranking(const std::vector<double>& scores, const std::vector<std::uint8_t>& alive) {
  std::vector<std::int64_t> order;
  for (std::size_t c = 0; c < alive.size(); ++c)
    if (alive[c] != 0) order.push_back(static_cast<std::int64_t>(c));
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
  });
  return order;
}

Rankings rankings_of(const Network& network, const ChannelScores& scores, const Alive& alive) {
  Rankings rankings(scores.size());
  for (std::size_t g = 0; g < scores.size(); ++g) {
    if (!network.groups[g].removable) continue;
    if (std::any_of(scores[g].begin(), scores[g].end(), [](double s) { return s != s; }))
      throw workloads::TrialFailure("prune.nan_scores", "layer " + network.writer_of(g) + " has NaN scores");
    rankings[g] = ranking(scores[g], alive[g]);
  }
  return rankings;
}

Alive first_channels(const Network& network, const Rankings& rankings, const std::vector<std::int64_t>& counts) {
  Alive kept;
  for (std::size_t g = 0; g < network.groups.size(); ++g) {
    const Group& group = network.groups[g];
    std::vector<std::uint8_t> flags(static_cast<std::size_t>(group.size), group.removable ? 0 : 1);
    for (std::size_t i = 0; group.removable && i < rankings[g].size() && std::cmp_less(i, counts[g]); ++i)
      flags[static_cast<std::size_t>(rankings[g][i])] = 1;
    kept.push_back(std::move(flags));
  }
  for (const Layer& layer : network.layers)
    if (const auto g = static_cast<std::size_t>(layer.out.group); network.groups[g].removable)
      rescue(layer.out, rankings[g], kept[g]);
  return kept;
}

Alive largest_fitting(const Network& network, double keep, const std::function<Alive(double)>& kept_at) {
  const double max_weights = keep * static_cast<double>(network.weights());
  double low = 0, high = 1;
  Alive best = kept_at(0);
  for (int halving = 0; halving < 50; ++halving) {
    const double share = (low + high) / 2;
    Alive kept = kept_at(share);
    const bool fits = static_cast<double>(size_of(network, kept)) <= max_weights;
    (fits ? low : high) = share;
    if (fits) best = std::move(kept);
  }
  return best;
}

Allocation keep_channels(const Network& network, const ChannelScores& scores, const MaskSet& current, double keep) {
  const Rankings rankings = rankings_of(network, scores, alive_channels(network, current));
  const Alive kept = largest_fitting(
      network, keep, [&](double share) { return first_channels(network, rankings, share_of(network, share)); });
  return {.masks = without_channels(network, current, kept), .moved = 0, .warnings = {}};
}

bool uninformative(const Network& network, const ChannelScores& scores, const MaskSet& current) {
  const Alive alive = alive_channels(network, current);
  bool compared = false;
  for (std::size_t g = 0; g < scores.size(); ++g) {
    if (!network.groups[g].removable) continue;
    const auto order = ranking(scores[g], alive[g]);
    if (order.size() < 2) continue;
    compared = true;
    if (scores[g][static_cast<std::size_t>(order.front())] != scores[g][static_cast<std::size_t>(order.back())])
      return false;
  }
  return compared;
}

}  // namespace retrial::pruning::inline allocation
