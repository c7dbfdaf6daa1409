#include "variance/comparison_parts.hpp"
#include "variance/win.hpp"

namespace retrial::variance {

TestOutcome run_bayes_signed_rank(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  const Posterior posterior = signed_rank(
      differences, {.rope = settings.rope, .draws = settings.resamples, .key = key_of(settings, "signedrank")});
  TestOutcome outcome = judged(posterior, settings,
                               win_interval(counts_of(scores, settings), settings.alpha, settings.interval), win_share);
  outcome.drawn = true;
  note_interval(outcome, settings);
  outcome.method = "Bayesian signed ranks, " + std::to_string(settings.resamples) + " draws";
  return outcome;
}

}  // namespace retrial::variance
