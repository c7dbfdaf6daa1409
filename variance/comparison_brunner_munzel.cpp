#include "variance/comparison_parts.hpp"
#include "variance/ranks.hpp"
#include "variance/theta.hpp"

namespace retrial::variance {

TestOutcome run_brunner_munzel(const TwoSamples& scores, const TestSettings& settings) {
  const PooledRuns runs = pooled_runs(scores.candidate, scores.baseline, settings.resolution);
  const Estimate theta = unpaired_theta(runs, settings.alpha).interval;
  if (nothing_but_ties(runs)) return all_tied("Brunner-Munzel", theta, beating);
  return judged(brunner_munzel(runs, BrunnerMunzelLaw::automatic, relabelling(settings)), settings, theta, beating);
}

}  // namespace retrial::variance
