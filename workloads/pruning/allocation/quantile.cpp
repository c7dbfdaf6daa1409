#include "workloads/pruning/allocation/quantile.hpp"

#include <algorithm>
#include <cmath>

namespace retrial::pruning::inline allocation {

double linear_quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(place), high = std::min(low + 1, values.size() - 1);
  return values[low] + (place - static_cast<double>(low)) * (values[high] - values[low]);
}

namespace {

void add_magnitudes(const std::vector<double>& scores, const LayerMask& mask, std::vector<double>& to) {
  for (std::size_t e = 0; e < scores.size(); ++e) to.push_back(mask.bits[e] != 0 ? std::abs(scores[e]) : 0);
}

void cut_below(double threshold, const std::vector<double>& scores, LayerMask& mask) {
  for (std::size_t e = 0; e < scores.size(); ++e)
    if (std::abs(scores[e]) < threshold) mask.bits[e] = 0;
}

}  // namespace

Allocation keep_above_quantile(const WeightScores& scores, const MaskSet& current, double keep,
                               const std::vector<bool>& may_prune, bool by_layer) {
  require_numbers(scores, current);
  Allocation made{.masks = current, .moved = 0, .warnings = {}};
  std::vector<double> all;
  for (std::size_t l = 0; l < scores.size(); ++l) {
    if (!may_prune[l]) continue;
    if (by_layer) all.clear();
    add_magnitudes(scores[l], current.layers[l], all);
    if (by_layer) cut_below(linear_quantile(all, 1 - keep), scores[l], made.masks.layers[l]);
  }
  if (by_layer || all.empty()) return made;
  const double threshold = linear_quantile(std::move(all), 1 - keep);
  for (std::size_t l = 0; l < scores.size(); ++l)
    if (may_prune[l]) cut_below(threshold, scores[l], made.masks.layers[l]);
  return made;
}

}  // namespace retrial::pruning::inline allocation
