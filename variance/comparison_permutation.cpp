#include <algorithm>
#include <cmath>

#include "variance/comparison_parts.hpp"
#include "variance/distributions.hpp"

namespace retrial::variance {

TestOutcome run_permutation(const TwoSamples& scores, const TestSettings& settings) {
  const auto result = permutation_test(scores.candidate, scores.baseline, relabelling(settings));
  const MeanTest t = welch_t(scores.candidate, scores.baseline, settings.alpha);
  TestOutcome outcome = judged(result, settings, t.difference, mean_difference);
  const double labellings =
      std::exp(log_choose(scores.candidate.count() + scores.baseline.count(), scores.candidate.count()));
  note_least_p(outcome, std::min(1.0, 2.0 / labellings), settings);
  return outcome;
}

}  // namespace retrial::variance
