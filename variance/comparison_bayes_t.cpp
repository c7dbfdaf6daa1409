#include "variance/comparison_parts.hpp"

namespace retrial::variance {

TestOutcome run_bayes_t(const TwoSamples& scores, const TestSettings& settings) {
  const CorrelatedT t = correlated_t(differences_of(scores), settings.rope, settings.rho, settings.alpha);
  TestOutcome outcome = judged(t.posterior, settings, t.mean, mean_difference);
  outcome.df = t.df;
  outcome.method = "Bayesian correlated t";
  outcome.details.emplace_back("scale", t.scale);
  return outcome;
}

}  // namespace retrial::variance
