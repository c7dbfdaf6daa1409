#include <algorithm>
#include <cmath>

#include "workloads/interface/trial/trial.hpp"
#include "workloads/pruning/allocation/allocation.hpp"
#include "workloads/pruning/allocation/threshold.hpp"

namespace retrial::pruning::inline allocation {
namespace {

/// A weight that may be removed. Numbering the places of all layers consecutively orders both layers and places.
struct Candidate {
  double score;
  std::uint32_t layer, place;

  bool operator<(const Candidate& other) const {  // kept earlier
    if (score != other.score) return score > other.score;
    return layer != other.layer ? layer < other.layer : place < other.place;
  }
};

std::vector<Candidate> candidates_of(const WeightScores& scores, const MaskSet& masks, std::size_t from, std::size_t to,
                                     const std::vector<bool>& may_prune) {
  std::vector<Candidate> all;
  for (std::size_t l = from; l < to; ++l)
    for (std::size_t e = 0; may_prune[l] && e < scores[l].size(); ++e)
      if (masks.layers[l].bits[e] != 0)
        all.push_back({scores[l][e], static_cast<std::uint32_t>(l), static_cast<std::uint32_t>(e)});
  return all;
}

std::uint8_t& bit_of(MaskSet& masks, const Candidate& one) {
  return masks.layers[one.layer].bits[one.place];
}

/// Number of live weights in the layers that may be pruned.
std::int64_t living(const MaskSet& masks, std::size_t from, std::size_t to, const std::vector<bool>& may_prune) {
  std::int64_t sum = 0;
  for (std::size_t l = from; l < to; ++l) sum += may_prune[l] ? masks.layers[l].live() : 0;
  return sum;
}

/// Masks all but the first `kept` live weights of these layers: score descending, layer and place ascending.
void cut(const WeightScores& scores, std::size_t from, std::size_t to, const std::vector<bool>& may_prune,
         std::int64_t kept, MaskSet& masks) {
  if (kept >= living(masks, from, to, may_prune)) return;
  std::vector<Scored> layers;
  for (std::size_t l = from; l < to; ++l)
    if (may_prune[l]) layers.push_back({scores[l], masks.layers[l].bits});
  Threshold last = kept <= 0 ? Threshold{} : threshold_of(layers, kept);
  for (std::size_t l = from; l < to; ++l)
    for (std::size_t e = 0; may_prune[l] && e < scores[l].size(); ++e) {
      std::uint8_t& bit = masks.layers[l].bits[e];
      const bool tie = bit != 0 && kept > 0 && scores[l][e] == last.score && last.ties-- > 0;
      bit = bit != 0 && kept > 0 && (tie || scores[l][e] > last.score) ? 1 : 0;
    }
}

/// Restores the best masked candidates of layers that have fewer than `min_keep`, in exchange for the worst kept ones
/// of layers that have more.
std::int64_t even_out(std::vector<Candidate> all, std::int64_t min_keep, const MaskSet& before, MaskSet& masks) {
  std::sort(all.begin(), all.end());
  std::vector<std::int64_t> live;
  for (const LayerMask& layer : masks.layers) live.push_back(layer.live());
  std::int64_t moved = 0;
  for (const Candidate& one : all) {
    const std::int64_t wanted = std::min(min_keep, before.layers[one.layer].live());
    if (bit_of(masks, one) != 0 || live[one.layer] >= wanted) continue;
    bit_of(masks, one) = 1;
    ++live[one.layer];
    ++moved;
  }
  std::int64_t owed = moved;
  for (auto one = all.rbegin(); one != all.rend() && owed > 0; ++one) {
    if (bit_of(masks, *one) == 0 || live[one->layer] <= min_keep) continue;
    bit_of(masks, *one) = 0;
    --live[one->layer];
    --owed;
  }
  return moved;
}

}  // namespace

void require_numbers(const WeightScores& scores, const MaskSet& current) {
  for (std::size_t l = 0; l < scores.size(); ++l)
    for (std::size_t e = 0; e < scores[l].size(); ++e)
      if (current.layers[l].bits[e] != 0 && std::isnan(scores[l][e]))
        throw workloads::TrialFailure("prune.nan_scores", "layer " + current.layers[l].name + " has NaN scores");
}

std::int64_t budget_of(double keep, std::int64_t weights) {
  return static_cast<std::int64_t>(std::round(keep * static_cast<double>(weights)));
}

Allocation keep_best(const WeightScores& scores, const MaskSet& current, std::int64_t budget, std::int64_t min_keep,
                     const std::vector<bool>& may_prune) {
  require_numbers(scores, current);
  Allocation made{.masks = current, .moved = 0, .warnings = {}};
  const std::int64_t fixed = current.live() - living(current, 0, scores.size(), may_prune);
  cut(scores, 0, scores.size(), may_prune, budget - fixed, made.masks);
  if (min_keep > 0)
    made.moved = even_out(candidates_of(scores, current, 0, scores.size(), may_prune), min_keep, current, made.masks);
  return made;
}

std::vector<std::int64_t> share_counts(const MaskSet& current, double keep, const std::vector<bool>& may_prune) {
  struct Rest {
    std::size_t layer;
    double rest;
  };
  std::vector<Rest> rests;
  std::vector<std::int64_t> counts;
  std::int64_t weights = 0, given = 0;
  for (std::size_t l = 0; l < current.layers.size(); ++l) {
    const auto size = static_cast<std::int64_t>(current.layers[l].bits.size());
    const double exact = keep * static_cast<double>(size);
    counts.push_back(may_prune[l] ? static_cast<std::int64_t>(exact) : current.layers[l].live());
    if (!may_prune[l]) continue;
    rests.push_back({l, exact - std::floor(exact)});
    weights += size;
    given += counts.back();
  }
  std::stable_sort(rests.begin(), rests.end(), [](const Rest& a, const Rest& b) { return a.rest > b.rest; });
  for (std::size_t i = 0; given < budget_of(keep, weights); ++i, ++given) ++counts[rests[i].layer];
  return counts;
}

Allocation keep_share(const WeightScores& scores, const MaskSet& current, double keep,
                      const std::vector<bool>& may_prune) {
  require_numbers(scores, current);
  Allocation made{.masks = current};
  const auto counts = share_counts(current, keep, may_prune);
  for (std::size_t l = 0; l < scores.size(); ++l)
    if (may_prune[l]) cut(scores, l, l + 1, may_prune, counts[l], made.masks);
  return made;
}

std::vector<std::string> collapsed(const MaskSet& masks) {
  std::vector<std::string> names;
  for (const LayerMask& layer : masks.layers)
    if (layer.live() == 0) names.push_back(layer.name);
  return names;
}

bool uninformative(const WeightScores& scores, const MaskSet& current) {
  const auto all = candidates_of(scores, current, 0, scores.size(), std::vector<bool>(scores.size(), true));
  return all.size() > 1 &&
         std::all_of(all.begin(), all.end(), [&](const Candidate& one) { return one.score == all.front().score; });
}

}  // namespace retrial::pruning::inline allocation
