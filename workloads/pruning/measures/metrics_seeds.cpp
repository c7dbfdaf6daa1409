#include "variance/means/paired.hpp"
#include "variance/samples/sample.hpp"
#include "workloads/pruning/measures/metrics.hpp"

namespace retrial::pruning::inline measures {

variance::Estimate over_seeds(std::span<const double> values, double alpha) {
  const variance::Sample sample({values.begin(), values.end()}, "values");
  variance::Estimate estimate{.point = sample[0], .level = 1 - alpha};
  if (const auto test = variance::paired_t(sample, {.alpha = alpha})) estimate = test->mean;
  estimate.method = "Student t";
  return estimate;
}

}  // namespace retrial::pruning::inline measures
