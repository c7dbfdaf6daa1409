#include <algorithm>

#include "variance/means/paired.hpp"
#include "variance/samples/sample.hpp"
#include "variance/verdict/decided_scores.hpp"
#include "workloads/pruning/measures/metrics.hpp"

namespace retrial::pruning::inline measures {

variance::Estimate over_seeds(std::span<const double> values, double alpha,
                              const std::optional<std::pair<double, double>>& range) {
  const variance::Sample sample({values.begin(), values.end()}, "values");
  variance::Estimate estimate{.point = sample[0], .level = 1 - alpha};
  if (const auto test = variance::paired_t(sample, {.alpha = alpha}); test && !test->degenerate) {
    estimate = test->mean;
    estimate.method = "Student t";
    return range ? variance::cut_to(estimate, range->first, range->second) : estimate;
  }
  estimate.method = values.size() > 1 ? "the same in every pair" : "Student t";
  return estimate;
}

}  // namespace retrial::pruning::inline measures
