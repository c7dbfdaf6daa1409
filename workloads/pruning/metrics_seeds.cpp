#include "variance/paired.hpp"
#include "variance/sample.hpp"
#include "workloads/pruning/metrics.hpp"

namespace retrial::metrics {

variance::Estimate over_seeds(std::span<const double> values, double alpha) {
  const variance::Sample sample({values.begin(), values.end()}, "values");
  variance::Estimate estimate{.point = sample[0], .level = 1 - alpha};
  if (const auto test = variance::paired_t(sample, {.alpha = alpha})) estimate = test->mean;
  estimate.method = "Student t";
  return estimate;
}

}  // namespace retrial::metrics
