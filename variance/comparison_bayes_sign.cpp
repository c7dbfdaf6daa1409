#include "variance/comparison_parts.hpp"
#include "variance/win.hpp"

namespace retrial::variance {

TestOutcome run_bayes_sign(const TwoSamples& scores, const TestSettings& settings) {
  const Posterior posterior = dirichlet_sign(differences_of(scores), settings.rope);
  TestOutcome outcome = judged(posterior, settings,
                               win_interval(counts_of(scores, settings), settings.alpha, settings.interval), win_share);
  note_interval(outcome, settings);
  outcome.method = "Bayesian sign test";
  return outcome;
}

}  // namespace retrial::variance
