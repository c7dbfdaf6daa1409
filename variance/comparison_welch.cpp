#include "variance/comparison_parts.hpp"

namespace retrial::variance {

TestOutcome run_welch(const TwoSamples& scores, const TestSettings& settings) {
  const MeanTest t = welch_t(scores.candidate, scores.baseline, settings.alpha);
  const bool equivalent =
      settings.margin &&
      welch_equivalence(scores.candidate, scores.baseline, *settings.margin, settings.alpha).test.p_two <=
          settings.alpha;
  return judged(t.test, settings, t.difference, mean_difference, equivalent);
}

}  // namespace retrial::variance
