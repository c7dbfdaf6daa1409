#include "workloads/pruning/quantile.hpp"

#include <algorithm>
#include <cmath>

#include "results/text.hpp"
#include "variance/error.hpp"

namespace retrial::prune {

double linear_quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(place), high = std::min(low + 1, values.size() - 1);
  return values[low] + (place - static_cast<double>(low)) * (values[high] - values[low]);
}

Allocation keep_above_quantile(const WeightScores& scores, const MaskSet& current, double keep,
                               const std::vector<bool>& may_prune) {
  std::vector<double> all;
  for (std::size_t l = 0; l < scores.size(); ++l)
    for (const double score : scores[l])
      if (may_prune[l]) all.push_back(std::abs(score));
  const double threshold = linear_quantile(std::move(all), 1 - keep);
  Allocation made{.masks = current, .moved = 0, .warnings = {}};
  for (std::size_t l = 0; l < scores.size(); ++l)
    for (std::size_t e = 0; may_prune[l] && e < scores[l].size(); ++e)
      if (std::abs(scores[l][e]) < threshold) made.masks.layers[l].bits[e] = 0;
  return made;
}

double keep_of_compression(double compression, std::int64_t parameters, std::int64_t prunable) {
  const auto all = static_cast<double>(parameters), may_go = static_cast<double>(prunable), fixed = all - may_go;
  const double keep = (all / compression - fixed) / may_go;
  if (keep > 0 && keep <= 1) return keep;
  throw InvalidInput("compression", results::text_of(compression),
                     "1 to below " + results::text_of(all / fixed) + ", the largest reachable");
}

}  // namespace retrial::prune
