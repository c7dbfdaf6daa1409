#include <cmath>

#include "variance/check.hpp"
#include "variance/comparison_parts.hpp"
#include "variance/distributions.hpp"
#include "variance/dominance.hpp"
#include "variance/ranks.hpp"
#include "variance/theta.hpp"

namespace retrial::variance {
namespace {

const char* const mean_difference = "mean difference (candidate - baseline)";
const char* const beating = "P(candidate beats baseline), all pairs of runs, ties one half";

bool nothing_but_ties(const PooledRuns& runs) {
  return runs.candidates.size() == 1;
}

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

TestOutcome run_welch(const TwoSamples& scores, const TestSettings& settings) {
  const MeanTest t = welch_t(scores.candidate, scores.baseline, settings.alpha);
  const bool equivalent =
      settings.margin &&
      welch_equivalence(scores.candidate, scores.baseline, *settings.margin, settings.alpha).test.p_two <=
          settings.alpha;
  return judged(t.test, settings, t.difference, mean_difference, equivalent);
}

TestOutcome run_welch_tost(const TwoSamples& scores, const TestSettings& settings) {
  if (!settings.margin)
    throw InvalidInput("margin", "none", "a difference that does not matter, in the unit of the scores");
  const MeanTest t = welch_equivalence(scores.candidate, scores.baseline, *settings.margin, settings.alpha);
  TestOutcome outcome{.status = t.test.p_two <= settings.alpha ? Status::equivalent : Status::inconclusive,
                      .df = t.test.df,
                      .p = t.test.p_two,
                      .method = t.test.method,
                      .estimate = t.difference,
                      .estimand = mean_difference};
  outcome.details = {{"p_above_lower_margin", t.test.p_greater}, {"p_below_upper_margin", t.test.p_less}};
  return outcome;
}

TestOutcome run_permutation(const TwoSamples& scores, const TestSettings& settings) {
  const auto result = permutation_test(scores.candidate, scores.baseline, relabelling(settings));
  const MeanTest t = welch_t(scores.candidate, scores.baseline, settings.alpha);
  TestOutcome outcome = judged(result, settings, t.difference, mean_difference);
  const double labellings =
      std::exp(log_choose(scores.candidate.count() + scores.baseline.count(), scores.candidate.count()));
  note_least_p(outcome, std::min(1.0, 2.0 / labellings), settings);
  return outcome;
}

TestOutcome run_mann_whitney(const TwoSamples& scores, const TestSettings& settings) {
  const PooledRuns runs = pooled_runs(scores.candidate, scores.baseline, settings.resolution);
  const Estimate theta = unpaired_theta(runs, settings.alpha).interval;
  if (nothing_but_ties(runs)) return all_tied("Mann-Whitney", theta, beating);
  const MannWhitney test = mann_whitney(runs);
  TestOutcome outcome = judged(test.test, settings, theta, beating);
  note_least_p(outcome, test.least_p, settings);
  return outcome;
}

TestOutcome run_brunner_munzel(const TwoSamples& scores, const TestSettings& settings) {
  const PooledRuns runs = pooled_runs(scores.candidate, scores.baseline, settings.resolution);
  const Estimate theta = unpaired_theta(runs, settings.alpha).interval;
  if (nothing_but_ties(runs)) return all_tied("Brunner-Munzel", theta, beating);
  return judged(brunner_munzel(runs, BrunnerMunzelLaw::automatic, relabelling(settings)), settings, theta, beating);
}

TestOutcome run_unpaired_win(const TwoSamples& scores, const TestSettings& settings) {
  const auto theta = unpaired_theta(scores.candidate, scores.baseline, settings.alpha, settings.resolution);
  TestResult result{.method = "logit interval of P(A > B)"};
  if (theta.theta == 0.0 || theta.theta == 1.0) {
    // All min(n, m) disjoint pairs are won with probability at most 2^-min when neither is better.
    const double p = std::pow(0.5, static_cast<double>(std::min(scores.candidate.size(), scores.baseline.size())));
    (theta.theta == 1.0 ? result.p_greater : result.p_less) = p;
    result.p_two = std::min(1.0, 2.0 * p);
    result.note = "complete separation";
  } else if (!theta.se || *theta.se == 0.0) {
    return all_tied(result.method, theta.interval, beating);
  } else {
    const double z = std::log(theta.theta / (1.0 - theta.theta)) * theta.theta * (1.0 - theta.theta) / *theta.se;
    result.statistic = z;
    result.p_less = normal_cdf(z);
    result.p_greater = normal_cdf(-z);
    result.p_two = 2.0 * normal_cdf(-std::fabs(z));
  }
  return judged(result, settings, theta.interval, beating);
}

TestOutcome run_aso(const TwoSamples& scores, const TestSettings& settings) {
  return aso_outcome(scores, settings, false);
}

TestOutcome run_paired_aso(const TwoSamples& scores, const TestSettings& settings) {
  return aso_outcome(scores, settings, true);
}

}  // namespace retrial::variance
