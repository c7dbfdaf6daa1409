#include "workloads/pruning/network/low_rank.hpp"

#include <algorithm>
#include <sstream>
#include <tuple>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::pruning::inline network {
namespace {

/// The choice with the fewest parameters that reaches the level. Choices are in the order of their parameters, with
/// falling errors.
const RankChoice& cheapest(const std::vector<RankChoice>& choices, double level) {
  const auto found =
      std::find_if(choices.begin(), choices.end(), [&](const RankChoice& c) { return c.error <= level; });
  return found == choices.end() ? choices.front() : *found;
}

RankPlan plan_at(const std::vector<std::vector<RankChoice>>& layers, double level) {
  RankPlan plan;
  for (const auto& choices : layers) {
    plan.layers.push_back(cheapest(choices, level));
    plan.parameters += plan.layers.back().parameters;
    plan.error = std::max(plan.error, plan.layers.back().error);
  }
  return plan;
}

/// Levels that every layer can reach, ascending.
std::vector<double> levels_of(const std::vector<std::vector<RankChoice>>& layers) {
  double min_level = 0;
  std::vector<double> levels;
  for (const auto& choices : layers) {
    min_level = std::max(min_level, choices.back().error);
    for (const RankChoice& choice : choices) levels.push_back(choice.error);
  }
  std::erase_if(levels, [&](double level) { return level < min_level; });
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

}  // namespace

std::int64_t parameters(const Layer& layer, const Rank& rank) {
  return rank.dense() ? layer.weights() : rank.rank * (rank.groups * layer.out.count + layer.columns());
}

std::vector<std::int64_t> group_counts(const Layer& layer) {
  const std::int64_t inputs = layer.in.count * layer.in.repeat;
  std::vector<std::int64_t> counts;
  for (std::int64_t k = 1; k <= inputs; ++k)
    if (inputs % k == 0) counts.push_back(k);
  return counts;
}

Spectrum spectrum_of(std::int64_t groups, const std::vector<double>& values, double largest) {
  const std::size_t ranks = values.size() / static_cast<std::size_t>(groups);
  Spectrum found{.groups = groups, .errors = std::vector<double>(ranks, 0.0)};
  if (largest <= 0) return found;
  for (std::size_t e = 0; e < values.size(); ++e) {
    const std::size_t place = e % ranks;  // left out by every rank up to this
    if (place > 0) found.errors[place - 1] = std::max(found.errors[place - 1], values[e] / largest);
  }
  return found;
}

std::vector<RankChoice> rank_choices(const Layer& layer, const std::vector<Spectrum>& ways, const Rank& now) {
  const std::int64_t max_size = parameters(layer, now);
  std::vector<RankChoice> all;
  if (now.dense()) all.push_back({now, max_size, 0});
  for (const Spectrum& way : ways)
    for (std::size_t e = 0; e < way.errors.size(); ++e) {
      const Rank rank{way.groups, static_cast<std::int64_t>(e) + 1};
      const std::int64_t size = parameters(layer, rank);
      if (size < max_size || (size == max_size && !now.dense())) all.push_back({rank, size, way.errors[e]});
    }
  std::sort(all.begin(), all.end(), [](const RankChoice& a, const RankChoice& b) {
    return std::tie(a.parameters, a.error, a.rank.groups) < std::tie(b.parameters, b.error, b.rank.groups);
  });
  std::vector<RankChoice> useful;
  for (const RankChoice& choice : all)
    if (useful.empty() || choice.error < useful.back().error) useful.push_back(choice);
  return useful;
}

RankPlan choose_ranks(const std::vector<std::vector<RankChoice>>& layers, std::int64_t budget) {
  const std::vector<double> levels = levels_of(layers);
  const auto first = std::partition_point(levels.begin(), levels.end(),
                                          [&](double level) { return plan_at(layers, level).parameters > budget; });
  return plan_at(layers, first == levels.end() ? levels.back() : *first);
}

std::string ranks_text(const Network& network, const std::vector<Rank>& ranks) {
  std::string text;
  for (std::size_t l = 0; l < ranks.size(); ++l)
    text += network.layers[l].name + ' ' + std::to_string(ranks[l].groups) + ' ' + std::to_string(ranks[l].rank) + '\n';
  return text;
}

std::vector<Rank> ranks_from(const Network& network, const std::string& text) {
  std::vector<Rank> ranks;
  std::istringstream words(text);
  Rank rank;
  for (std::string name; words >> name >> rank.groups >> rank.rank;) ranks.push_back(rank);
  const bool complete = ranks.empty() || ranks.size() == network.layers.size();
  if (!complete || ranks_text(network, ranks) != text)
    throw workloads::TrialFailure("prune.ranks_damaged", "the saved ranks are not those of this network");
  return ranks;
}

}  // namespace retrial::pruning::inline network
