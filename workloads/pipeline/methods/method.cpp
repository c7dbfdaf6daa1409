#include "workloads/pipeline/methods/method.hpp"

namespace retrial::pipeline::inline methods {

double Method::rate(std::int64_t stage, std::int64_t unit) const {
  const std::int64_t sample = first_sample(unit);
  double factor = 1;
  for (const RateStep& step : schedule)
    if (step.from <= sample) factor = step.factor;
  return rates.lr * factor * pipemare_rate(delays[static_cast<std::size_t>(stage)], sample, pipemare_samples);
}

}  // namespace retrial::pipeline::inline methods
