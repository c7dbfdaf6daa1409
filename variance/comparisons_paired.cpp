#include <cmath>

#include "variance/check.hpp"
#include "variance/comparison_parts.hpp"
#include "variance/decide.hpp"
#include "variance/distributions.hpp"
#include "variance/dominance.hpp"
#include "variance/paired.hpp"
#include "variance/ranks.hpp"
#include "variance/summary.hpp"
#include "variance/win.hpp"

namespace retrial::variance {
namespace {

const char* const mean_difference = "mean difference (candidate - baseline)";
const char* const win_share = "P(candidate beats baseline), paired, ties one half";

Estimate mean_interval(const TwoSamples& scores, const TestSettings& settings, double overlap = 0.0) {
  const auto differences = differences_of(scores);
  if (differences.size() < 2)
    return {.point = differences[0], .level = 1.0 - settings.alpha, .method = "none: one pair"};
  return paired_t(differences, {.alpha = settings.alpha, .overlap = overlap})->mean;
}

PairedWin counts_of(const TwoSamples& scores, const TestSettings& settings) {
  return paired_win(scores.candidate, scores.baseline, settings.resolution);
}

void add_counts(TestOutcome& outcome, const PairedWin& counts) {
  outcome.details.emplace_back("wins", static_cast<double>(counts.wins));
  outcome.details.emplace_back("ties", static_cast<double>(counts.ties));
  outcome.details.emplace_back("losses", static_cast<double>(counts.losses));
}

/// Exact binomial tails of the untied pairs; INVALID (ties) beyond the limit.
TestOutcome sign_outcome(const PairedWin& counts, const TestSettings& settings) {
  const Estimate share = win_interval(counts, settings.alpha, settings.interval);
  TestOutcome outcome;
  if (counts.untied() == 0 || counts.tie_share() > settings.tie_limit) {
    outcome = all_tied("exact sign test", share, win_share);
    outcome.notes = {"more than the allowed share of pairs is tied"};
  } else {
    const double greater = binomial_at_least(counts.wins, counts.untied(), 0.5);
    const double less = binomial_at_most(counts.wins, counts.untied(), 0.5);
    outcome = judged(TestResult{.statistic = static_cast<double>(counts.wins),
                                .p_less = less,
                                .p_greater = greater,
                                .p_two = doubled_tail(less, greater),
                                .exact = true,
                                .method = "exact sign test"},
                     settings, share, win_share);
    note_least_p(outcome, std::pow(0.5, static_cast<double>(counts.untied() - 1)), settings);
  }
  add_counts(outcome, counts);
  return outcome;
}

TestOutcome t_outcome(const TwoSamples& scores, const TestSettings& settings, double overlap) {
  const auto differences = differences_of(scores);
  const PairedOptions options{.alpha = settings.alpha, .overlap = overlap, .tolerance = tolerance_of(scores, settings)};
  const PairedT t = *paired_t(differences, options);
  TestResult result{.statistic = t.statistic,
                    .p_less = t.p_less,
                    .p_greater = t.p_greater,
                    .p_two = t.p_two,
                    .method = t.mean.method,
                    .note = t.degenerate ? "degenerate: the differences do not vary" : ""};
  if (!t.degenerate) result.df = t.df;
  const bool equivalent = settings.margin && tost(differences, *settings.margin, options)->equivalent;
  return judged(result, settings, t.mean, mean_difference, equivalent);
}

struct Discordant {
  std::int64_t wins = 0, losses = 0;
};

Discordant discordant_items(const TwoSamples& scores) {
  Discordant result;
  for (std::size_t i = 0; i < scores.candidate.size(); ++i) {
    result.wins += scores.candidate[i] > scores.baseline[i] ? 1 : 0;
    result.losses += scores.candidate[i] < scores.baseline[i] ? 1 : 0;
  }
  return result;
}

constexpr std::int64_t chi_squared_from = 25;

TestOutcome mcnemar_outcome(const TwoSamples& scores, const TestSettings& settings, bool mid) {
  const Discordant found = discordant_items(scores);
  const std::int64_t n = found.wins + found.losses;
  const McNemar test = mcnemar(found.wins, found.losses);
  const char* const estimand = "share of the items that only one has right which the candidate has";
  Estimate share{.point = 0.5, .level = 1.0 - settings.alpha, .method = "none: no discordant item"};
  if (n > 0) share = clopper_pearson(found.wins, n, settings.alpha);
  TestResult result{.statistic = test.chi_squared, .df = 1.0};
  if (mid) {
    result.p_less = test.mid_less, result.p_greater = test.mid_greater, result.p_two = test.p_mid;
    result.method = "McNemar, mid-p";
  } else if (n >= chi_squared_from) {
    // The one-sided p of chi-squared is half of it on the side of the sign.
    const double half = test.p_chi_squared / 2.0;
    result.p_less = found.wins < found.losses ? half : 1.0 - half;
    result.p_greater = found.wins > found.losses ? half : 1.0 - half;
    result.p_two = test.p_chi_squared;
    result.method = "McNemar, chi-squared with continuity correction";
  } else {
    result.p_less = test.p_less, result.p_greater = test.p_greater, result.p_two = test.p_exact;
    result.exact = true;
    result.method = "McNemar, exact binomial";
  }
  TestOutcome outcome = judged(result, settings, share, estimand);
  outcome.details = {{"only_candidate_right", static_cast<double>(found.wins)},
                     {"only_baseline_right", static_cast<double>(found.losses)},
                     {"p_chi_squared", test.p_chi_squared},
                     {"p_exact", test.p_exact},
                     {"p_mid", test.p_mid}};
  return outcome;
}

TestOutcome five_by_two(const TwoSamples& scores, const TestSettings& settings, const TestResult& result) {
  const auto differences = differences_of(scores);
  return judged(result, settings,
                {.point = *mean(differences), .level = 1.0 - settings.alpha, .method = "none: the ten are dependent"},
                mean_difference);
}

}  // namespace

TestOutcome run_pab_exact(const TwoSamples& scores, const TestSettings& settings) {
  const PairedWin counts = counts_of(scores, settings);
  TestOutcome outcome = sign_outcome(counts, settings);
  outcome.method = "exact binomial rule on untied pairs";
  outcome.details.emplace_back("gamma", settings.gamma);
  const Levels levels{.alpha = claim_level(settings), .beta = settings.beta, .gamma = settings.gamma};
  if (outcome.status != Status::invalid) outcome.status = pab_exact(counts.wins, counts.untied(), levels);
  return outcome;
}

TestOutcome run_sign(const TwoSamples& scores, const TestSettings& settings) {
  return sign_outcome(counts_of(scores, settings), settings);
}

TestOutcome run_paired_t(const TwoSamples& scores, const TestSettings& settings) {
  return t_outcome(scores, settings, 0.0);
}

TestOutcome run_corrected_t(const TwoSamples& scores, const TestSettings& settings) {
  if (!settings.overlap)
    throw InvalidInput("overlap", "none", "test rows over train rows of the splits; .582 of out-of-bootstrap splits");
  return t_outcome(scores, settings, *settings.overlap);
}

TestOutcome run_wilcoxon(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  const Wilcoxon test = wilcoxon(differences, tolerance_of(scores, settings));
  const bool large = differences.size() > 5'000;
  const char* const estimand = large ? "median difference" : "median of the means of two differences";
  const Estimate estimate = large ? Estimate{.point = *median(differences),
                                             .level = 1.0 - settings.alpha,
                                             .method = "none: more than 5000 pairs"}
                                  : hodges_lehmann(differences, settings.alpha);
  if (test.used == 0) return all_tied("Wilcoxon signed ranks", estimate, estimand);
  TestOutcome outcome = judged(test.test, settings, estimate, estimand);
  note_least_p(outcome, test.least_p, settings);
  outcome.details.emplace_back("w_minus", test.w_minus);
  outcome.details.emplace_back("used", static_cast<double>(test.used));
  return outcome;
}

TestOutcome run_paired_permutation(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  TestOutcome outcome = judged(paired_permutation(differences, relabelling(settings)), settings,
                               mean_interval(scores, settings), mean_difference);
  note_least_p(outcome, std::pow(0.5, static_cast<double>(differences.size()) - 1.0), settings);
  return outcome;
}

TestOutcome run_five_by_two_t(const TwoSamples& scores, const TestSettings& settings) {
  return five_by_two(scores, settings, five_by_two_t(differences_of(scores)));
}

TestOutcome run_five_by_two_f(const TwoSamples& scores, const TestSettings& settings) {
  return five_by_two(scores, settings, five_by_two_f(differences_of(scores)));
}

TestOutcome run_mcnemar(const TwoSamples& scores, const TestSettings& settings) {
  return mcnemar_outcome(scores, settings, false);
}

TestOutcome run_mcnemar_mid_p(const TwoSamples& scores, const TestSettings& settings) {
  return mcnemar_outcome(scores, settings, true);
}

TestOutcome run_tost(const TwoSamples& scores, const TestSettings& settings) {
  if (!settings.margin)
    throw InvalidInput("margin", "none", "a difference that does not matter, in the unit of the scores");
  const auto differences = differences_of(scores);
  const PairedOptions options{.alpha = settings.alpha, .tolerance = tolerance_of(scores, settings)};
  const Tost test = *tost(differences, *settings.margin, options);
  const Estimate interval = paired_t(differences, {.alpha = 2.0 * settings.alpha})->mean;
  TestOutcome outcome{.status = test.equivalent ? Status::equivalent : Status::inconclusive,
                      .p = test.p(),
                      .method = "two one-sided paired t tests",
                      .estimate = interval,
                      .estimand = mean_difference};
  outcome.details = {{"p_above_lower_margin", test.p_above}, {"p_below_upper_margin", test.p_below}};
  return outcome;
}

TestOutcome run_bayes_t(const TwoSamples& scores, const TestSettings& settings) {
  const CorrelatedT t = correlated_t(differences_of(scores), settings.rope, settings.rho, settings.alpha);
  TestOutcome outcome = judged(t.posterior, settings, t.mean, mean_difference);
  outcome.df = t.df;
  outcome.method = "Bayesian correlated t";
  outcome.details.emplace_back("scale", t.scale);
  return outcome;
}

TestOutcome run_bayes_sign(const TwoSamples& scores, const TestSettings& settings) {
  const Posterior posterior = dirichlet_sign(differences_of(scores), settings.rope);
  TestOutcome outcome = judged(posterior, settings,
                               win_interval(counts_of(scores, settings), settings.alpha, settings.interval), win_share);
  outcome.method = "Bayesian sign test";
  return outcome;
}

TestOutcome run_bayes_signed_rank(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  const Posterior posterior = signed_rank(
      differences, {.rope = settings.rope, .draws = settings.resamples, .key = key_of(settings, "signedrank")});
  TestOutcome outcome = judged(posterior, settings,
                               win_interval(counts_of(scores, settings), settings.alpha, settings.interval), win_share);
  outcome.drawn = true;
  outcome.method = "Bayesian signed ranks, " + std::to_string(settings.resamples) + " draws";
  return outcome;
}

}  // namespace retrial::variance
