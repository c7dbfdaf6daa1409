#include "workloads/pruning/steps/step.hpp"

#include <stdexcept>

#include "workloads/pruning/allocation/quantile.hpp"
#include "workloads/pruning/methods/pfp.hpp"
#include "workloads/pruning/steps/sampled.hpp"

namespace retrial::pruning::inline steps {
namespace {

/// With prune_classifier = false the last layer keeps all its weights, and N counts the other layers.
std::vector<bool> prunable_layers(const Network& network, bool prune_classifier) {
  std::vector<bool> may(network.layers.size(), true);
  may.back() = prune_classifier;
  return may;
}

std::int64_t prunable_weights(const Network& network, const std::vector<bool>& may_prune) {
  std::int64_t sum = 0;
  for (std::size_t l = 0; l < may_prune.size(); ++l) sum += may_prune[l] ? network.layers[l].weights() : 0;
  return sum;
}

Allocation cut_weights(const Sight& sight, const WeightScores& scores, double keep, const StepOptions& options) {
  const auto may_prune = prunable_layers(sight.network, options.prune_classifier);
  const std::int64_t weights = prunable_weights(sight.network, may_prune), fixed = sight.network.weights() - weights;
  const Rule rule = options.scope.value_or(options.method->rule);
  if (rule == Rule::lottery)
    return lottery_level(scores, sight.masks, options.level.value(), options.lottery, may_prune);
  if (rule == Rule::sampled) return sample_share(sight, scores, keep, may_prune);
  if (rule == Rule::rows || rule == Rule::hybrid)
    return sample_rows(sight, scores, keep, may_prune, rule == Rule::hybrid);
  if (!options.exact) return keep_above_quantile(scores, sight.masks, keep, may_prune, rule == Rule::share);
  if (rule == Rule::share) return keep_share(scores, sight.masks, keep, may_prune);
  return keep_best(scores, sight.masks, fixed + budget_of(keep, weights), options.min_keep, may_prune);
}

Allocation cut_channels(const Sight& sight, const ChannelScores& scores, double keep, const StepOptions& options) {
  switch (options.method->rule) {
    case Rule::pfp:
      return keep_by_bound(sight.network, scores, sight.masks, keep);
    case Rule::pfp_drawn:
    case Rule::pfp_topped:
      return sample_by_bound(sight, scores, keep, options.method->rule == Rule::pfp_topped);
    case Rule::groups:
      return keep_groups(sight.network, scores, sight.masks, keep, options.scope == Rule::best, options.group);
    default:
      return keep_channels(sight.network, scores, sight.masks, keep);
  }
}

}  // namespace

Allocation prune_step(const Sight& sight, double keep, const StepOptions& options) {
  const Method& method = *options.method;
  if (method.low_rank())
    return keep_ranks(sight, method.spectra(sight), keep, prunable_layers(sight.network, options.prune_classifier));
  if (!method.structured()) {
    const WeightScores scores = method.weights(sight);
    Allocation made = cut_weights(sight, scores, keep, options);
    if (uninformative(scores, sight.masks)) made.warnings.emplace_back("no information in scores: all are equal");
    return made;
  }
  const ChannelScores scores = method.channels(sight);
  Allocation made = cut_channels(sight, scores, keep, options);
  if (uninformative(sight.network, scores, sight.masks))
    made.warnings.emplace_back("no information in scores: all are equal");
  return made;
}

double smallest_keep(const Network& network, std::int64_t min_keep, bool prune_classifier) {
  const auto may_prune = prunable_layers(network, prune_classifier);
  std::int64_t min_weights = 0;
  for (std::size_t l = 0; l < may_prune.size(); ++l)
    if (may_prune[l]) min_weights += std::min(min_keep, network.layers[l].weights());
  return static_cast<double>(min_weights) / static_cast<double>(prunable_weights(network, may_prune));
}

}  // namespace retrial::pruning::inline steps
