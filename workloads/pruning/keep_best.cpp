#include <algorithm>
#include <cmath>

#include "workloads/pruning/allocation.hpp"
#include "workloads/trial.hpp"

namespace retrial::prune {
namespace {

/// A weight that may go. The places of all layers in a row order layers and places alike.
struct Candidate {
  double score;
  std::uint32_t layer, place;

  bool operator<(const Candidate& other) const {  // kept earlier
    if (score != other.score) return score > other.score;
    return layer != other.layer ? layer < other.layer : place < other.place;
  }
};

void require_numbers(const WeightScores& scores, const MaskSet& masks) {
  for (std::size_t l = 0; l < scores.size(); ++l)
    for (std::size_t e = 0; e < scores[l].size(); ++e)
      if (masks.layers[l].bits[e] != 0 && std::isnan(scores[l][e]))
        throw workloads::TrialFailure("prune.nan_scores", "layer " + masks.layers[l].name + " has NaN scores");
}

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

/// Divides the candidates: the first `kept` live, the others are masked.
void cut(std::vector<Candidate>& all, std::int64_t kept, MaskSet& masks) {
  const auto middle = all.begin() + std::clamp<std::int64_t>(kept, 0, static_cast<std::int64_t>(all.size()));
  if (middle != all.end()) std::nth_element(all.begin(), middle, all.end());
  for (auto one = middle; one != all.end(); ++one) bit_of(masks, *one) = 0;
}

/// Brings back the best masked candidates of layers that have fewer than `least`, at the cost of the worst kept ones of
/// layers that have more.
std::int64_t even_out(std::vector<Candidate> all, std::int64_t least, const MaskSet& before, MaskSet& masks) {
  std::sort(all.begin(), all.end());
  std::vector<std::int64_t> live;
  for (const LayerMask& layer : masks.layers) live.push_back(layer.live());
  std::int64_t moved = 0;
  for (const Candidate& one : all) {
    const std::int64_t wanted = std::min(least, before.layers[one.layer].live());
    if (bit_of(masks, one) != 0 || live[one.layer] >= wanted) continue;
    bit_of(masks, one) = 1;
    ++live[one.layer];
    ++moved;
  }
  std::int64_t owed = moved;
  for (auto one = all.rbegin(); one != all.rend() && owed > 0; ++one) {
    if (bit_of(masks, *one) == 0 || live[one->layer] <= least) continue;
    bit_of(masks, *one) = 0;
    --live[one->layer];
    --owed;
  }
  return moved;
}

}  // namespace

std::int64_t budget_of(double keep, std::int64_t weights) {
  return static_cast<std::int64_t>(std::round(keep * static_cast<double>(weights)));
}

Allocation keep_best(const WeightScores& scores, const MaskSet& current, std::int64_t budget, std::int64_t min_keep,
                     const std::vector<bool>& may_prune) {
  require_numbers(scores, current);
  Allocation made{.masks = current, .moved = 0, .warnings = {}};
  auto all = candidates_of(scores, current, 0, scores.size(), may_prune);
  const std::int64_t fixed = current.live() - static_cast<std::int64_t>(all.size());
  cut(all, budget - fixed, made.masks);
  if (min_keep > 0) made.moved = even_out(std::move(all), min_keep, current, made.masks);
  return made;
}

Allocation keep_share(const WeightScores& scores, const MaskSet& current, double keep,
                      const std::vector<bool>& may_prune) {
  require_numbers(scores, current);
  Allocation made{.masks = current, .moved = 0, .warnings = {}};
  struct Share {
    std::size_t layer;
    std::int64_t whole;
    double rest;
  };
  std::vector<Share> shares;
  std::int64_t weights = 0, given = 0;
  for (std::size_t l = 0; l < scores.size(); ++l) {
    if (!may_prune[l]) continue;
    const double exact = keep * static_cast<double>(scores[l].size());
    shares.push_back({l, static_cast<std::int64_t>(exact), exact - std::floor(exact)});
    weights += static_cast<std::int64_t>(scores[l].size());
    given += shares.back().whole;
  }
  std::stable_sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.rest > b.rest; });
  for (std::size_t i = 0; given < budget_of(keep, weights); ++i, ++given) ++shares[i].whole;
  for (const Share& share : shares) {
    auto all = candidates_of(scores, current, share.layer, share.layer + 1, may_prune);
    cut(all, share.whole, made.masks);
  }
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

}  // namespace retrial::prune
