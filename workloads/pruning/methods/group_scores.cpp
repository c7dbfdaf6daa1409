#include "workloads/pruning/methods/group_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "variance/samples/summary.hpp"
#include "workloads/pruning/methods/methods.hpp"

namespace retrial::pruning::inline methods {
namespace {

template <typename Of>
std::vector<Member> members_of(const Sight& sight, Of&& of_layer) {
  std::vector<Member> members;
  for (std::size_t l = 0; l < sight.network.layers.size(); ++l) {
    const Layer& layer = sight.network.layers[l];
    Member writes{layer.out, std::vector<double>(static_cast<std::size_t>(layer.out.count))},
        reads{layer.in, std::vector<double>(static_cast<std::size_t>(layer.in.count))};
    const std::int64_t columns = layer.columns(), of_channel = layer.in.repeat * layer.taps;
    for (std::int64_t row = 0; row < layer.out.count; ++row)
      for (std::int64_t column = 0; column < columns; ++column) {
        const double value = of_layer(l, static_cast<std::size_t>(row * columns + column));
        writes.scores[static_cast<std::size_t>(row)] += value;
        reads.scores[static_cast<std::size_t>(column / of_channel)] += value;
      }
    members.push_back(std::move(writes));
    members.push_back(std::move(reads));
  }
  return members;
}

double combined(const std::vector<double>& values, Reduce reduce) {
  if (values.empty()) return 0;
  switch (reduce) {
    case Reduce::sum:
      return std::accumulate(values.begin(), values.end(), 0.0);
    case Reduce::mean:
      return *variance::mean(values);
    case Reduce::max:
      return *std::max_element(values.begin(), values.end());
    case Reduce::prod:
      return std::accumulate(values.begin(), values.end(), 1.0, [](double a, double b) { return a * b; });
    case Reduce::first:
      return values.front();
  }
  return 0;
}

void scale(std::vector<double>& group, Scaling scaling) {
  if (group.empty() || scaling == Scaling::none) return;
  const double mean = *variance::mean(group), spread = variance::sd(group).value_or(0);
  const double by = scaling == Scaling::sum    ? std::accumulate(group.begin(), group.end(), 0.0)
                    : scaling == Scaling::mean ? mean
                    : scaling == Scaling::max  ? *std::max_element(group.begin(), group.end())
                                               : spread;
  for (double& score : group) {
    if (scaling == Scaling::standardise) score -= mean;
    score = by == 0 ? 0 : score / by;
  }
}

ChannelScores of_members(const Sight& sight, const std::vector<Member>& members) {
  return reduced(sight.network, members, sight.reduce, sight.scaling);
}

template <typename Enum>
Enum from_name(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

const std::vector<std::string>& reduce_names() {
  static const std::vector<std::string> names{"sum", "mean", "max", "prod", "first"};
  return names;
}
const std::vector<std::string>& scaling_names() {
  static const std::vector<std::string> names{"none", "sum", "mean", "max", "standardise"};
  return names;
}
Reduce reduce_from(const std::string& name) {
  return from_name<Reduce>(reduce_names(), name);
}
Scaling scaling_from(const std::string& name) {
  return from_name<Scaling>(scaling_names(), name);
}

ChannelScores reduced(const Network& network, const std::vector<Member>& members, Reduce reduce, Scaling scaling) {
  std::vector<std::vector<std::vector<double>>> said;
  for (const Group& group : network.groups) said.emplace_back(static_cast<std::size_t>(group.size));
  for (const Member& member : members)
    for (std::size_t c = 0; c < member.scores.size(); ++c)
      said[static_cast<std::size_t>(member.channels.group)][static_cast<std::size_t>(member.channels.offset) + c]
          .push_back(member.scores[c]);
  ChannelScores scores;
  for (const auto& group : said) {
    std::vector<double>& out = scores.emplace_back();
    for (const auto& values : group) out.push_back(combined(values, reduce));
    scale(out, scaling);
  }
  return scores;
}

/// l1 norms of the filters that write a channel and of the columns that read it.
ChannelScores group_l1(const Sight& sight) {
  return of_members(
      sight, members_of(sight, [&](std::size_t l, std::size_t e) { return std::abs(double{sight.weights[l][e]}); }));
}

/// l2 norms of the same.
ChannelScores group_l2(const Sight& sight) {
  auto members = members_of(
      sight, [&](std::size_t l, std::size_t e) { return double{sight.weights[l][e]} * double{sight.weights[l][e]}; });
  for (Member& member : members)
    for (double& score : member.scores) score = std::sqrt(score);
  return of_members(sight, members);
}

/// Sums of |w * gradient|, with the mean gradient over the scoring set.
ChannelScores group_taylor(const Sight& sight) {
  const auto gradients = sight.mean_gradients(sight.samples);
  return of_members(sight, members_of(sight, [&](std::size_t l, std::size_t e) {
                      return std::abs(double{sight.weights[l][e]} * gradients[l][e]);
                    }));
}

/// |scale| of the batch norms a channel flows through (Liu et al., "Network slimming", ICCV 2017).
ChannelScores bn_scale(const Sight& sight) {
  std::vector<Member> members;
  for (std::size_t n = 0; n < sight.network.norms.size(); ++n) {
    Member& member = members.emplace_back(Member{sight.network.norms[n].channels, {}});
    for (const float scale : sight.norm_scales[n]) member.scores.push_back(std::abs(double{scale}));
  }
  return of_members(sight, members);
}

/// Sum of the Euclidean distances of a filter to the others of its layer: filters in the middle can be replaced (He et
/// al., "Filter pruning via geometric median", CVPR 2019).
ChannelScores fpgm(const Sight& sight) {
  std::vector<Member> members;
  for (std::size_t l = 0; l < sight.network.layers.size(); ++l) {
    const Layer& layer = sight.network.layers[l];
    const auto rows = static_cast<std::size_t>(layer.out.count), columns = static_cast<std::size_t>(layer.columns());
    Member member{layer.out, std::vector<double>(rows)};
    for (std::size_t a = 0; a < rows; ++a)
      for (std::size_t b = a + 1; b < rows; ++b) {
        double squares = 0;
        for (std::size_t j = 0; j < columns; ++j) {
          const double apart = double{sight.weights[l][a * columns + j]} - double{sight.weights[l][b * columns + j]};
          squares += apart * apart;
        }
        member.scores[a] += std::sqrt(squares);
        member.scores[b] += std::sqrt(squares);
      }
    members.push_back(std::move(member));
  }
  return of_members(sight, members);
}

}  // namespace retrial::pruning::inline methods
