#include "workloads/pruning/methods/thinet.hpp"

#include <algorithm>
#include <optional>

#include "variance/random/rng.hpp"
#include "workloads/pruning/methods/methods.hpp"

namespace retrial::pruning::inline methods {
namespace {

/// One output of a layer: of one sample, one filter, one position.
struct Location {
  std::int64_t sample, filter, position;
};

constexpr std::int64_t locations_of_layer = 100;

std::vector<Location> drawn_locations(const Sight& sight, const Layer& layer) {
  variance::Stream stream(variance::derive(variance::derive(sight.sample, "thinet"), layer.name));
  const std::int64_t outputs = layer.out.count * layer.positions;
  std::vector<Location> found;
  for (std::int64_t t = 0; t < locations_of_layer; ++t) {
    const auto place = static_cast<std::int64_t>(
        variance::bounded(stream.next(), static_cast<std::uint64_t>(sight.samples * outputs)));
    found.push_back({place / outputs, place % outputs / layer.positions, place % layer.positions});
  }
  return found;
}

/// The contribution of each channel to one output.
void add_contributions(const Sight& sight, std::size_t l, const Patches& patches, const Location& at,
                       std::vector<std::vector<double>>& to, std::size_t t) {
  const Layer& layer = sight.network.layers[l];
  const std::int64_t width = layer.in.repeat * layer.taps;
  const float* row = sight.weights[l].data() + at.filter * layer.columns();
  for (std::int64_t j = 0; j < layer.columns(); ++j)
    to[static_cast<std::size_t>(layer.in.offset + j / width)][t] +=
        double{row[j]} * double{patches.column(j)[at.position]};
}

ChannelScores ranks(const Sight& sight, double sign) {
  std::vector<Contributions> of_group;
  for (const Group& group : sight.network.groups) of_group.emplace_back(static_cast<std::size_t>(group.size));
  std::vector<std::vector<Location>> locations;
  std::vector<std::size_t> first;  // first location of a layer among those of its group
  for (const Layer& layer : sight.network.layers) {
    locations.push_back(drawn_locations(sight, layer));
    Contributions& group = of_group[static_cast<std::size_t>(layer.in.group)];
    first.push_back(group.front().size());
    for (auto& channel : group) channel.resize(channel.size() + locations_of_layer);
  }
  sight.each_patch([&](std::int64_t sample, std::size_t l, const Patches& patches) {
    for (std::size_t t = 0; t < locations[l].size(); ++t)
      if (locations[l][t].sample == sample)
        add_contributions(sight, l, patches, locations[l][t],
                          of_group[static_cast<std::size_t>(sight.network.layers[l].in.group)], first[l] + t);
  });
  ChannelScores scores = channel_zeros(sight.network);
  const Alive alive = alive_channels(sight.network, sight.masks);
  for (std::size_t g = 0; g < scores.size(); ++g) {
    if (!sight.network.groups[g].removable) continue;
    const auto order = thinet_removals(of_group[g], alive[g]);
    for (std::size_t i = 0; i < order.size(); ++i)
      scores[g][static_cast<std::size_t>(order[i])] = sign * static_cast<double>(i + 1);
  }
  return scores;
}

}  // namespace

std::vector<std::int64_t> thinet_removals(const Contributions& x, std::vector<std::uint8_t> left) {
  std::vector<std::int64_t> order;
  std::vector<double> removed(x.empty() ? 0 : x.front().size(), 0.0);
  for (auto count = std::count(left.begin(), left.end(), std::uint8_t{1}); count > 0; --count) {
    std::optional<std::size_t> best;
    double smallest = 0;
    for (std::size_t channel = 0; channel < x.size(); ++channel) {
      if (left[channel] == 0) continue;
      double sum = 0;
      for (std::size_t t = 0; t < removed.size(); ++t) {
        const double together = removed[t] + x[channel][t];
        sum += together * together;
      }
      if (best && !(sum < smallest)) continue;
      best = channel;
      smallest = sum;
    }
    left[*best] = 0;
    for (std::size_t t = 0; t < removed.size(); ++t) removed[t] += x[*best][t];
    order.push_back(static_cast<std::int64_t>(*best));
  }
  return order;
}

ChannelScores thinet(const Sight& sight) {
  return ranks(sight, 1);
}

ChannelScores thinet_inverted(const Sight& sight) {
  return ranks(sight, -1);
}

}  // namespace retrial::pruning::inline methods
