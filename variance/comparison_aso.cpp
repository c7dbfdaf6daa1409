#include "variance/comparison_parts.hpp"
#include "variance/dominance.hpp"

namespace retrial::variance {
namespace {

TestOutcome aso_outcome(const TwoSamples& scores, const TestSettings& settings, bool paired) {
  const DominanceOptions options{.alpha = claim_level(settings),
                                 .tau = settings.tau,
                                 .resamples = settings.resamples,
                                 .paired = paired,
                                 .key = key_of(settings, "aso")};
  const Dominance ours = aso(scores.candidate, scores.baseline, options);
  const Dominance theirs = aso(scores.baseline, scores.candidate, options);
  TestOutcome outcome{.statistic = ours.ratio,
                      .drawn = true,
                      .method = "almost stochastic order, " + std::to_string(settings.resamples) + " resamples",
                      .estimate = {.point = ours.ratio,
                                   .high = ours.bound,
                                   .level = 1.0 - options.alpha,
                                   .method = "upper bound, resampled deviation"},
                      .estimand = "share of the distance between the two distributions that favours the baseline"};
  if (ours.dominates)
    outcome.status = Status::better;
  else if (theirs.dominates)
    outcome.status = Status::worse;
  if (theirs.bound) outcome.details.emplace_back("reverse_bound", *theirs.bound);
  outcome.details.emplace_back("tau", settings.tau);
  if (!ours.note.empty()) outcome.notes.push_back(ours.note);
  if (settings.tau >= 0.5) outcome.notes.push_back("tau of .5 and more has a high type-I error");
  return outcome;
}

}  // namespace

TestOutcome run_aso(const TwoSamples& scores, const TestSettings& settings) {
  return aso_outcome(scores, settings, false);
}

TestOutcome run_paired_aso(const TwoSamples& scores, const TestSettings& settings) {
  return aso_outcome(scores, settings, true);
}

}  // namespace retrial::variance
