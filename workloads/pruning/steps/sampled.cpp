#include "workloads/pruning/steps/sampled.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "workloads/pruning/allocation/budget.hpp"
#include "workloads/pruning/allocation/draws.hpp"
#include "workloads/pruning/methods/pfp.hpp"

namespace retrial::pruning::inline steps {
namespace {

/// The weights of one sign in one filter.
struct Part {
  std::size_t layer = 0, row = 0;
  std::vector<std::size_t> places;  ///< in the layer, ascending
  std::vector<double> scores;

  [[nodiscard]] double sum() const { return std::accumulate(scores.begin(), scores.end(), 0.0); }
};

/// Positive before negative, filter by filter, layer by layer.
std::vector<Part> parts_of(const Sight& sight, const WeightScores& scores, const std::vector<bool>& may_prune) {
  std::vector<Part> parts;
  for (std::size_t l = 0; l < scores.size(); ++l) {
    if (!may_prune[l]) continue;
    const auto columns = static_cast<std::size_t>(sight.network.layers[l].columns());
    for (std::size_t row = 0; row * columns < scores[l].size(); ++row)
      for (const float sign : {1.0F, -1.0F}) {
        Part part{l, row, {}, {}};
        for (std::size_t e = row * columns; e < (row + 1) * columns; ++e)
          if (sign * sight.weights[l][e] > 0) {
            part.places.push_back(e);
            part.scores.push_back(scores[l][e]);
          }
        parts.push_back(std::move(part));
      }
  }
  return parts;
}

SampledRow row_of(const Sight& sight, const Part& part) {
  const Layer& layer = sight.network.layers[part.layer];
  return {.weight = 1 / static_cast<double>(layer.out.count),
          .alpha = pfp_sensitivity(layer.positions, layer.taps, part.sum()),
          .max = static_cast<double>(part.places.size())};
}

/// The kept weights of a part, and their factors.
using Factors = std::vector<float>;

Factors drawn(const Part& part, std::int64_t n, variance::Stream& draws) {
  Factors factors(part.places.size());
  if (n == 0) return factors;
  const Sampler sampler(part.scores);
  const auto counts = sampler.counts(n, draws);
  for (std::size_t j = 0; j < counts.size(); ++j)
    if (counts[j] > 0)
      factors[j] = static_cast<float>(static_cast<double>(counts[j]) / (static_cast<double>(n) * sampler.share(j)));
  return factors;
}

/// The n best, and the sum of the removed scores.
Factors best(const Part& part, std::int64_t n, double& lost) {
  std::vector<std::size_t> order(part.places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return part.scores[a] > part.scores[b]; });
  Factors factors(part.places.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (std::cmp_less(i, n))
      factors[order[i]] = 1;
    else
      lost += part.scores[order[i]];
  return factors;
}

void write(const Part& part, const Factors& factors, Allocation& to) {
  for (std::size_t j = 0; j < factors.size(); ++j) {
    to.masks.layers[part.layer].bits[part.places[j]] = factors[j] > 0 ? 1 : 0;
    to.factors[part.layer][part.places[j]] = factors[j] > 0 ? factors[j] : 1;
  }
}

/// Starts with every prunable weight masked and none scaled.
Allocation all_masked(const Sight& sight, const std::vector<bool>& may_prune) {
  Allocation made{.masks = sight.masks};
  for (std::size_t l = 0; l < may_prune.size(); ++l) {
    if (may_prune[l]) std::fill(made.masks.layers[l].bits.begin(), made.masks.layers[l].bits.end(), std::uint8_t{0});
    made.factors.emplace_back(made.masks.layers[l].bits.size(), 1.0F);
  }
  return made;
}

}  // namespace

Allocation sample_share(const Sight& sight, const WeightScores& scores, double keep,
                        const std::vector<bool>& may_prune) {
  Allocation made{.masks = sight.masks};
  const auto counts = share_counts(sight.masks, keep, may_prune);
  for (std::size_t l = 0; l < scores.size(); ++l) {
    std::vector<std::uint8_t>& bits = made.masks.layers[l].bits;
    if (!may_prune[l] || counts[l] >= made.masks.layers[l].live()) continue;
    const bool empty =
        counts[l] == 0 || std::all_of(scores[l].begin(), scores[l].end(), [](double s) { return s == 0; });
    variance::Stream draws = draws_of(sight.prune, sight.network.layers[l].name, sight.step);
    bits = empty ? std::vector<std::uint8_t>(bits.size()) : Sampler(scores[l]).distinct(counts[l], draws);
  }
  return made;
}

Allocation sample_rows(const Sight& sight, const WeightScores& scores, double keep, const std::vector<bool>& may_prune,
                       bool hybrid) {
  const std::vector<Part> parts = parts_of(sight, scores, may_prune);
  std::vector<SampledRow> rows;
  for (const Part& part : parts) rows.push_back(row_of(sight, part));
  std::int64_t prunable = 0;
  for (std::size_t l = 0; l < may_prune.size(); ++l) prunable += may_prune[l] ? sight.network.layers[l].weights() : 0;
  const Split split = split_budget(rows, static_cast<double>(budget_of(keep, prunable)));
  Allocation made = all_masked(sight, may_prune);
  made.dual_gap = split.gap;
  std::optional<variance::Stream> draws;
  for (std::size_t f = 0; f < parts.size(); f += 2) {  // both signs of one filter
    if (f == 0 || parts[f].layer != parts[f - 1].layer)
      draws = draws_of(sight.prune, sight.network.layers[parts[f].layer].name, sight.step);
    double bound = 0, lost = 0;
    std::vector<Factors> by_draws, by_score;
    for (const std::size_t side : {f, f + 1}) {
      const auto n = static_cast<std::int64_t>(std::ceil(split.x[side]));
      by_draws.push_back(drawn(parts[side], n, *draws));
      by_score.push_back(best(parts[side], n, lost));
      bound += sampling_bound(rows[side].alpha, split.x[side]);
    }
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
      write(parts[f + side], hybrid && lost <= bound ? by_score[side] : by_draws[side], made);
  }
  return made;
}

Allocation sample_by_bound(const Sight& sight, const ChannelScores& scores, double keep, bool topped) {
  const Network& network = sight.network;
  const Alive alive = alive_channels(network, sight.masks);
  const BoundCounts bound = counts_by_bound(network, scores, sight.masks, keep);
  std::vector<std::vector<std::int64_t>> rankings(network.groups.size());
  std::vector<std::int64_t> counts(network.groups.size());
  for (std::size_t g = 0; g < network.groups.size(); ++g) {
    if (!network.groups[g].removable) continue;
    const auto order = ranking(scores[g], alive[g]);
    std::vector<double> q(scores[g].size());
    for (const std::int64_t c : order) q[static_cast<std::size_t>(c)] = scores[g][static_cast<std::size_t>(c)];
    variance::Stream draws = draws_of(sight.prune, network.writer_of(g), sight.step);
    const auto chosen = drawn_channels(q, bound.kept[g], bound.draws[g], topped, draws);
    for (const std::int64_t c : order)
      if (chosen[static_cast<std::size_t>(c)] != 0) rankings[g].push_back(c);
    if (rankings[g].empty() && !order.empty()) rankings[g].push_back(order.front());
    counts[g] = static_cast<std::int64_t>(rankings[g].size());
  }
  Allocation made{.masks = sight.masks};
  made.masks = without_channels(network, sight.masks, first_channels(network, rankings, counts));
  return made;
}

}  // namespace retrial::pruning::inline steps
