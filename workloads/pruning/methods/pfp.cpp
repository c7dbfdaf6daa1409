#include "workloads/pruning/methods/pfp.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "workloads/pruning/allocation/draws.hpp"
#include "workloads/pruning/methods/methods.hpp"
#include "workloads/pruning/methods/ratios.hpp"

namespace retrial::pruning::inline methods {
namespace {

constexpr double c = 3, k_factor = 3, failure = 1e-16;

/// A removable group in the terms of the bound.
struct Bounded {
  std::vector<double> q;
  double sensitivity = 0;
  std::vector<std::int64_t> order;
};

/// The logarithm is that of the reader with the most patches and taps, which has the weakest bound.
Bounded bounded_of(const Network& network, std::size_t group, const std::vector<double>& scores,
                   const std::vector<std::uint8_t>& alive) {
  Bounded made{.q = {}, .sensitivity = 0, .order = ranking(scores, alive)};
  double sum = 0;
  for (const std::int64_t place : made.order) sum += scores[static_cast<std::size_t>(place)];
  for (const std::int64_t place : made.order)
    made.q.push_back(sum > 0 ? scores[static_cast<std::size_t>(place)] / sum : 0.0);
  for (const Layer& layer : network.layers)
    if (static_cast<std::size_t>(layer.in.group) == group)
      made.sensitivity = std::max(made.sensitivity, pfp_sensitivity(layer.positions, layer.taps, sum));
  return made;
}

std::int64_t count_at(const Bounded& group, double epsilon) {
  const double expected = std::floor(expected_distinct(group.q, pfp_draws(group.sensitivity, epsilon)));
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(expected), 1,
                                  std::max<std::int64_t>(1, static_cast<std::int64_t>(group.order.size())));
}

}  // namespace

double pfp_sensitivity(std::int64_t patches, std::int64_t taps, double sum) {
  return 2 * c * std::log(8 * static_cast<double>(patches + 1) * static_cast<double>(taps) / failure) * sum;
}

double pfp_draws(double sensitivity, double epsilon) {
  return std::max(1.0, std::ceil(k_factor * (6 + 2 * epsilon) * sensitivity / (epsilon * epsilon)));
}

double expected_distinct(const std::vector<double>& q, double m) {
  double sum = 0;
  for (const double share : q) sum += 1 - std::pow(1 - share, m);
  return sum;
}

/// The largest share of any neuron's input that any weight of a channel has, over samples, filters, patches and taps,
/// and over all layers that read the channel.
ChannelScores pfp(const Sight& sight) {
  ChannelScores scores = channel_zeros(sight.network);
  sight.each_patch([&](std::int64_t, std::size_t l, const Patches& patches) {
    const Layer& layer = sight.network.layers[l];
    if (!sight.network.groups[static_cast<std::size_t>(layer.in.group)].removable) return;
    double* to = scores[static_cast<std::size_t>(layer.in.group)].data() + layer.in.offset;
    const auto columns = static_cast<std::size_t>(layer.columns());
    for (std::size_t row = 0; row * columns < sight.weights[l].size(); ++row)
      each_share(sight.weights[l].subspan(row * columns, columns), patches,
                 [&](std::int64_t j, std::span<const double> shares) {
                   double& best = to[j / (layer.in.repeat * layer.taps)];
                   best = std::max(best, *std::max_element(shares.begin(), shares.end()));
                 });
  });
  return scores;
}

namespace {

struct Bound {
  std::vector<Bounded> groups;
  std::vector<std::vector<std::int64_t>> rankings;
  double epsilon = 0;

  [[nodiscard]] std::vector<std::int64_t> counts(double at) const {
    std::vector<std::int64_t> found;
    for (const Bounded& group : groups) found.push_back(count_at(group, at));
    return found;
  }
};

Bound bound_of(const Network& network, const ChannelScores& scores, const MaskSet& current, double keep) {
  const Alive alive = alive_channels(network, current);
  Bound made;
  for (std::size_t g = 0; g < network.groups.size(); ++g) {
    made.groups.push_back(network.groups[g].removable ? bounded_of(network, g, scores[g], alive[g]) : Bounded{});
    made.rankings.push_back(made.groups.back().order);
  }
  // The size falls as the bound gets looser: high always fits, or nothing does and one channel per group is kept.
  double low = std::log(1e-300), high = std::log(1e150);
  for (int halving = 0; halving < 200; ++halving) {
    const double middle = (low + high) / 2;
    const Alive kept = first_channels(network, made.rankings, made.counts(std::exp(middle)));
    const bool fits = static_cast<double>(size_of(network, kept)) <= keep * static_cast<double>(network.weights());
    (fits ? high : low) = middle;
  }
  made.epsilon = std::exp(high);
  return made;
}

}  // namespace

Allocation keep_by_bound(const Network& network, const ChannelScores& scores, const MaskSet& current, double keep) {
  const Bound bound = bound_of(network, scores, current, keep);
  Allocation made{.masks = current};
  for (std::size_t g = 0; g < network.groups.size(); ++g)
    if (network.groups[g].removable && bound.groups[g].sensitivity == 0)
      made.warnings.push_back("no channel of layer " + network.writer_of(g) + " contributes to an output: one is kept");
  made.masks = without_channels(network, current, first_channels(network, bound.rankings, bound.counts(bound.epsilon)));
  return made;
}

BoundCounts counts_by_bound(const Network& network, const ChannelScores& scores, const MaskSet& current, double keep) {
  const Bound bound = bound_of(network, scores, current, keep);
  BoundCounts found{.kept = bound.counts(bound.epsilon), .draws = {}};
  for (std::size_t g = 0; g < network.groups.size(); ++g) {
    if (!network.groups[g].removable) found.kept[g] = 0;
    found.draws.push_back(network.groups[g].removable ? pfp_draws(bound.groups[g].sensitivity, bound.epsilon) : 0);
  }
  return found;
}

namespace {

/// The smallest number of draws whose expected number of distinct channels reaches `wanted`. All channels are reached
/// only in the limit, so a billionth less counts as reached.
double draws_for(const std::vector<double>& shares, double wanted) {
  constexpr double max = 1e12;
  const auto reaches = [&](double m) { return std::floor(expected_distinct(shares, m) + 1e-9) >= wanted; };
  double high = 1;
  while (!reaches(high) && high < max) high *= 2;
  double low = std::floor(high / 2);
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (reaches(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

std::vector<std::uint8_t> drawn_channels(const std::vector<double>& q, std::int64_t kept, double draws, bool topped,
                                         variance::Stream& from) {
  std::vector<std::uint8_t> chosen(q.size());
  if (std::none_of(q.begin(), q.end(), [](double one) { return one > 0; })) return chosen;
  const Sampler sampler(q);
  std::vector<double> shares;
  for (std::size_t c = 0; c < q.size(); ++c) shares.push_back(sampler.share(c));
  if (!topped) {
    const double every = 1e4 * static_cast<double>(q.size());
    for (std::size_t c = 0; c < q.size() && draws > every; ++c) chosen[c] = q[c] > 0 ? 1 : 0;
    if (draws > every) return chosen;
    const auto counts = sampler.counts(static_cast<std::int64_t>(draws), from);
    for (std::size_t c = 0; c < q.size(); ++c) chosen[c] = counts[c] > 0 ? 1 : 0;
    return chosen;
  }
  const double m = draws_for(shares, static_cast<double>(kept));
  std::vector<double> others = q;
  for (std::size_t c = 0; c < q.size(); ++c)
    if (shares[c] >= 1 / m && kept > 0) {
      chosen[c] = 1;
      others[c] = 0;
      --kept;
    }
  if (kept > 0 && std::any_of(others.begin(), others.end(), [](double one) { return one > 0; })) {
    const auto rest = Sampler(others).distinct(kept, from);
    for (std::size_t c = 0; c < q.size(); ++c) chosen[c] = chosen[c] != 0 || rest[c] != 0 ? 1 : 0;
  }
  return chosen;
}

}  // namespace retrial::pruning::inline methods
