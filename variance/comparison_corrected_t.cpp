#include "variance/check.hpp"
#include "variance/comparison_parts.hpp"

namespace retrial::variance {

TestOutcome run_corrected_t(const TwoSamples& scores, const TestSettings& settings) {
  if (!settings.overlap)
    throw InvalidInput("overlap", "none", "test rows over train rows of the splits; .582 of out-of-bootstrap splits");
  return t_outcome(scores, settings, *settings.overlap);
}

}  // namespace retrial::variance
