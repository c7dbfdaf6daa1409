#include "variance/comparison_parts.hpp"
#include "variance/ranks.hpp"
#include "variance/theta.hpp"

namespace retrial::variance {

TestOutcome run_mann_whitney(const TwoSamples& scores, const TestSettings& settings) {
  const PooledRuns runs = pooled_runs(scores.candidate, scores.baseline, settings.resolution);
  const Estimate theta = unpaired_theta(runs, settings.alpha).interval;
  if (nothing_but_ties(runs)) return all_tied("Mann-Whitney", theta, beating);
  const MannWhitney test = mann_whitney(runs);
  TestOutcome outcome = judged(test.test, settings, theta, beating);
  note_least_p(outcome, test.least_p, settings);
  return outcome;
}

}  // namespace retrial::variance
