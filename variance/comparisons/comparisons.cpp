#include "variance/comparisons/comparisons.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/check.hpp"

namespace retrial::variance::inline comparisons {
namespace {

const std::vector<ComparisonTest>& comparison_rows() {
  static const std::vector<ComparisonTest> table{
      {.name = "pab_exact",
       .asks = "does the candidate win more than half of the pairs, and a share that matters (gamma, if given)?",
       .when = "the default for runs that share seeds: assumes nothing about the scores",
       .reads = "beta gamma resolution interval",
       .min_runs = 1,
       .unit = Unit::share,
       .ordinal = true,
       .run = run_pab_exact},
      {.name = "sign",
       .asks = "does the candidate win more than half of the pairs that are not tied?",
       .when = "paired runs, any scores; the weakest assumptions and the lowest power",
       .reads = "resolution interval",
       .min_runs = 1,
       .unit = Unit::share,
       .ordinal = true,
       .run = run_sign},
      {.name = "paired_t",
       .asks = "is the mean of the paired differences zero?",
       .when = "paired runs on fresh data or independent seeds, differences roughly normal",
       .reads = "margin resolution",
       .run = run_paired_t},
      {.name = "corrected_t",
       .asks = "is the mean of the paired differences zero, when the training sets of the runs overlap?",
       .when = "random splits or folds of one data set; needs the overlap (test rows / train rows)",
       .reads = "overlap margin resolution",
       .needs = "overlap",
       .run = run_corrected_t},
      {.name = "wilcoxon",
       .asks = "are the paired differences symmetric about zero?",
       .when = "paired runs, differences symmetric but with heavy tails; needs six pairs to reach .05 two-sided",
       .reads = "resolution",
       .min_runs = 1,
       .unit = Unit::estimate,
       .run = run_wilcoxon},
      {.name = "paired_permutation",
       .asks = "could chance alone explain the signs of the paired differences?",
       .when = "paired runs, any number of them; exact up to 20 pairs",
       .reads = "reps",
       .run = run_paired_permutation},
      {.name = "yuen_paired",
       .asks = "is the mean of the paired differences zero, without the fifth of them at either end?",
       .when = "paired runs of which a few are far out; six or more pairs",
       .min_runs = 6,
       .run = run_yuen_paired},
      {.name = "pitman_morgan",
       .asks = "do the scores of the two variants spread equally?",
       .when = "which variant is steadier, of paired runs with normal scores; says nothing about their level",
       .about = About::spread,
       .min_runs = 3,
       .unit = Unit::share,
       .run = run_pitman_morgan},
      {.name = "five_by_two_t",
       .asks = "is the difference zero, over five replications of two-fold cross-validation?",
       .when = "ten differences in the order of the replications; for comparison with the literature, weak",
       .min_runs = 10,
       .scores = ScoreKind::five_by_two,
       .run = run_five_by_two_t},
      {.name = "five_by_two_f",
       .asks = "is the difference zero, over five replications of two-fold cross-validation?",
       .when = "the same ten differences, all of them used: preferred to five_by_two_t",
       .min_runs = 10,
       .unit = Unit::estimate,
       .scores = ScoreKind::five_by_two,
       .run = run_five_by_two_f},
      {.name = "mcnemar",
       .asks = "of the test items that only one model gets right, does each model get half?",
       .when = "one model per variant on one test set, 0 or 1 per item: says nothing about other seeds",
       .min_runs = 1,
       .unit = Unit::share,
       .scores = ScoreKind::bits,
       .shift_invariant = false,
       .scale_invariant = false,
       .run = run_mcnemar},
      {.name = "mcnemar_mid_p",
       .asks = "the same, with the mid-p of the exact binomial",
       .when = "fewer than about 25 discordant items, where the exact p is too conservative",
       .min_runs = 1,
       .unit = Unit::share,
       .scores = ScoreKind::bits,
       .shift_invariant = false,
       .scale_invariant = false,
       .run = run_mcnemar_mid_p},
      {.name = "tost",
       .asks = "is the mean of the paired differences within the margin?",
       .when = "to show equivalence; needs a margin declared beforehand",
       .reads = "margin resolution",
       .needs = "margin",
       .run = run_tost},
      {.name = "bayes_t",
       .asks = "how probable is a mean difference below, within or above the rope?",
       .when = "paired runs of one data set; rho for folds that share training rows; a claim also requires the t test",
       .reads = "rope rho",
       .evidence = Evidence::posterior,
       .run = run_bayes_t},
      {.name = "bayes_sign",
       .asks = "how probable is it that losses, ties within the rope or wins are the most frequent?",
       .when =
           "paired scores over runs or data sets, no assumption on their shape; a claim also requires the exact sign "
           "test, which keeps alpha",
       .reads = "rope resolution interval",
       .min_runs = 1,
       .unit = Unit::share,
       .evidence = Evidence::posterior,
       .ordinal = true,
       .run = run_bayes_sign},
      {.name = "bayes_signed_rank",
       .asks = "the same for means of two differences, which takes their size into account",
       .when =
           "paired scores over runs or data sets, differences symmetric; a claim also requires the exact signed-rank "
           "test, which keeps alpha",
       .reads = "rope resolution interval reps",
       .min_runs = 1,
       .unit = Unit::share,
       .evidence = Evidence::posterior,
       .run = run_bayes_signed_rank},
      {.name = "paired_aso",
       .asks = "is the candidate's distribution almost everywhere the better one? (runs resampled in pairs)",
       .when = "at least ten paired runs whose whole distribution matters; a claim also requires the exact signed-rank "
               "test, which keeps alpha",
       .reads = "tau reps",
       .unit = Unit::share,
       .evidence = Evidence::bound,
       .run = run_paired_aso},
      {.name = "welch",
       .asks = "are the two means equal?",
       .when = "independent runs, scores roughly normal, spreads may differ: the default unpaired t test",
       .reads = "margin",
       .pairing = Pairing::unpaired,
       .run = run_welch},
      {.name = "welch_tost",
       .asks = "is the difference of the two means within the margin?",
       .when = "independent runs, to show equivalence; needs a margin declared beforehand",
       .reads = "margin",
       .needs = "margin",
       .pairing = Pairing::unpaired,
       .run = run_welch_tost},
      {.name = "yuen",
       .asks = "are the two means equal, without the fifth of the runs at either end?",
       .when = "independent runs of which a few are far out, spreads may differ; five or more of each",
       .pairing = Pairing::unpaired,
       .min_runs = 5,
       .run = run_yuen},
      {.name = "permutation",
       .asks = "could chance alone explain which variant got which scores?",
       .when = "independent runs of equal spread, any shape; exact up to a million labellings (11 against 11)",
       .reads = "reps",
       .pairing = Pairing::unpaired,
       .run = run_permutation},
      {.name = "mann_whitney",
       .asks = "does a run of one beat a run of the other more often than not, if the distributions differ in location "
               "only?",
       .when = "independent runs, any shape, ties allowed; needs four of each to reach .05 two-sided",
       .reads = "resolution",
       .pairing = Pairing::unpaired,
       .min_runs = 1,
       .unit = Unit::share,
       .ordinal = true,
       .run = run_mann_whitney},
      {.name = "brunner_munzel",
       .asks = "does a run of one beat a run of the other more often than not?",
       .when = "independent runs whose spreads may differ: Mann-Whitney without the assumption of equal spreads",
       .reads = "resolution reps",
       .pairing = Pairing::unpaired,
       .unit = Unit::share,
       .ordinal = true,
       .run = run_brunner_munzel},
      {.name = "unpaired_win",
       .asks = "how often does a run of the candidate beat a run of the baseline?",
       .when = "independent runs; P(A > B) with its logit interval",
       .reads = "resolution",
       .pairing = Pairing::unpaired,
       .unit = Unit::share,
       .ordinal = true,
       .run = run_unpaired_win},
      {.name = "brown_forsythe",
       .asks = "do the scores of the two variants spread equally?",
       .when = "which variant is steadier, of independent runs of any shape; says nothing about their level",
       .about = About::spread,
       .pairing = Pairing::unpaired,
       .min_runs = 5,
       .unit = Unit::share,
       .run = run_brown_forsythe},
      {.name = "variance_ratio",
       .asks = "are the variances of the two variants equal?",
       .when = "the same for normal scores alone: the most power, and wrong at any size where tails are heavier",
       .about = About::spread,
       .pairing = Pairing::unpaired,
       .unit = Unit::share,
       .run = run_variance_ratio},
      {.name = "aso",
       .asks = "is the candidate's distribution almost everywhere the better one?",
       .when =
           "at least ten independent runs of each, whose whole distribution matters; a claim also requires the exact "
           "Mann-Whitney test, which keeps alpha",
       .reads = "tau reps",
       .pairing = Pairing::unpaired,
       .unit = Unit::share,
       .evidence = Evidence::bound,
       .run = run_aso},
  };
  return table;
}

std::string known_names() {
  std::string names;
  for (const auto& row : comparison_rows()) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

void require_test_settings(const TestSettings& settings) {
  require_between("alpha", settings.alpha, 0.0, 0.5);
  require_between("beta", settings.beta, 0.0, 0.5);
  if (settings.gamma) require_between("gamma", *settings.gamma, 0.5, 1.0);
  if (settings.margin) require_positive("margin", *settings.margin);
  if (settings.resolution) require_positive("resolution", *settings.resolution);
  require_between("tau", settings.tau, 0.0, 1.0);
  require_within("resamples", settings.resamples, 1'000, 1'000'000'000);
  if (!(settings.tie_limit >= 0.0 && settings.tie_limit < 1.0))
    throw InvalidInput("tie_limit", shortest(settings.tie_limit), "at least 0, below 1");
  if (settings.direction == Direction::none)
    throw InvalidInput("direction", "none", "higher, lower: state which scores are better");
}

void require_runs(const ComparisonTest& test, const TwoSamples& scores) {
  if (test.pairing == Pairing::paired) {
    require_pairs(scores.candidate, scores.baseline);
    require_at_least("pairs", scores.candidate.count(), test.min_runs);
    return;
  }
  require_at_least("candidate runs", scores.candidate.count(), test.min_runs);
  require_at_least("baseline runs", scores.baseline.count(), test.min_runs);
}

void require_bits(const std::string& field, const Sample& scores) {
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (scores[i] != 0.0 && scores[i] != 1.0)
      throw InvalidInput(field + "[" + std::to_string(i) + "]", shortest(scores[i]), "0 (wrong) and 1 (right)");
}

/// Pairs by ascending size of their difference, so that sums do not depend on the order in which the trials ran, and
/// exchanging the variants keeps the order.
TwoSamples ordered_scores(const ComparisonTest& test, const TwoSamples& scores) {
  if (test.scores == ScoreKind::five_by_two) return scores;
  if (test.pairing == Pairing::unpaired) return {scores.candidate.sorted(), scores.baseline.sorted()};
  const std::size_t n = scores.candidate.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> sizes(n);
  for (std::size_t i = 0; i < n; ++i) sizes[i] = std::fabs(scores.candidate[i] - scores.baseline[i]);
  // Only differences of equal size need a second key.
  const double* const size = sizes.data();
  const auto rest = [&](std::size_t i) {
    return std::tuple(scores.candidate[i] - scores.baseline[i], scores.candidate[i]);
  };
  std::sort(order.begin(), order.end(),
            [&](auto i, auto j) { return size[i] != size[j] ? size[i] < size[j] : rest(i) < rest(j); });
  std::vector<double> candidate, baseline;
  candidate.reserve(n), baseline.reserve(n);
  for (const std::size_t i : order) {
    candidate.push_back(scores.candidate[i]);
    baseline.push_back(scores.baseline[i]);
  }
  return {Sample(std::move(candidate)), Sample(std::move(baseline))};
}

/// Back into the unit of the scores if lower is better. 0 - x instead of -x, so that no difference stays 0, not -0.
void turn(Estimate& estimate) {
  estimate.point = 0.0 - estimate.point;
  std::swap(estimate.low, estimate.high);
  if (estimate.low) estimate.low = 0.0 - *estimate.low;
  if (estimate.high) estimate.high = 0.0 - *estimate.high;
}

void turn(TestOutcome& outcome, Unit unit) {
  for (auto& further : outcome.further) turn(further.estimate);
  if (unit == Unit::share) return;
  if (outcome.statistic && unit == Unit::score) outcome.statistic = 0.0 - *outcome.statistic;
  turn(outcome.estimate);
}

}  // namespace

bool ComparisonTest::reads_setting(std::string_view setting) const {
  return (" " + std::string(reads) + " ").find(" " + std::string(setting) + " ") != std::string::npos;
}

std::span<const ComparisonTest> all_comparisons() {
  return comparison_rows();
}

const ComparisonTest* find_comparison(std::string_view name) {
  const auto found = std::ranges::find(comparison_rows(), name, &ComparisonTest::name);
  return found == comparison_rows().end() ? nullptr : &*found;
}

TestOutcome compare(std::string_view test, std::vector<double> candidate, std::vector<double> baseline,
                    const TestSettings& settings) {
  const ComparisonTest* const row = find_comparison(test);
  if (row == nullptr) throw InvalidInput("test", std::string(test), known_names());
  require_test_settings(settings);
  TwoSamples scores{Sample(std::move(candidate), "candidate"), Sample(std::move(baseline), "baseline")};
  require_sizes("scores", scores.candidate, scores.baseline);
  require_runs(*row, scores);
  if (row->scores == ScoreKind::bits) {
    require_bits("candidate", scores.candidate);
    require_bits("baseline", scores.baseline);
  }
  const bool lower = settings.direction == Direction::lower;
  if (lower) scores = {scores.candidate.negated(), scores.baseline.negated()};
  TestOutcome outcome = row->run(ordered_scores(*row, scores), settings);
  outcome.test = row->name;
  outcome.about = row->about;
  outcome.candidate_runs = scores.candidate.count();
  outcome.baseline_runs = scores.baseline.count();
  if (lower) turn(outcome, row->unit);
  return outcome;
}

}  // namespace retrial::variance::inline comparisons
