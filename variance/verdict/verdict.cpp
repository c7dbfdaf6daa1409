#include "variance/verdict/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "variance/comparisons/comparisons.hpp"
#include "variance/comparisons/intervals.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"
#include "variance/verdict/answers.hpp"
#include "variance/verdict/complete_pairs.hpp"
#include "variance/verdict/decided_scores.hpp"
#include "variance/verdict/pair_outcomes.hpp"
#include "variance/verdict/sequential_verdict.hpp"

namespace retrial::variance::inline verdict {
namespace {

using Scores = std::vector<std::optional<double>>;
using Numbers = std::vector<double>;
constexpr double drift_level = 0.01;

void require_design(const PairedScores& scores, const Design& design) {
  require_levels(design.levels());
  require_at_least("pairs", design.pairs, 1);
  if (!(design.tie_limit >= 0.0 && design.tie_limit < 1.0))
    throw InvalidInput("tie_limit", shortest(design.tie_limit), "0 to less than 1");
  if (design.margin) require_positive("margin", *design.margin);
  if (design.band) {
    require_between("band[0]", design.band->first, 0.0, 0.5);
    require_between("band[1]", design.band->second, 0.5, 1.0);
  }
  static_cast<void>(family_of(design));
  if (const auto* row = find_comparison(design.test); row != nullptr && row->about != About::level)
    throw InvalidInput("test", design.test, "a test of the level of the scores: a verdict is not about their spread");
  if (design.candidate.empty()) throw InvalidInput("candidate", "(empty)", "the name of a variant");
  if (design.baseline.empty()) throw InvalidInput("baseline", "(empty)", "the name of a variant");
  if (scores.direction == Direction::none) throw InvalidInput("direction", "none", "lower, higher");
  if (scores.candidate.size() != scores.baseline.size())
    throw InvalidInput("scores", std::to_string(scores.baseline.size()) + " of the baseline",
                       "as many as the candidate's " + std::to_string(scores.candidate.size()));
  if (scores.resolution) require_positive("resolution", *scores.resolution);
  if (scores.test_items) require_at_least("test_items", *scores.test_items, 1);
  if (scores.effective_items) require_at_least("effective_items", *scores.effective_items, 1);
}

bool usable(const std::optional<double>& score) {
  return score && std::isfinite(*score);
}

Numbers finite(const Scores& scores) {
  Numbers result;
  for (const auto& score : scores)
    if (usable(score)) result.push_back(*score);
  return result;
}

double pair_tolerance(const PairedScores& scores) {
  return tie_tolerance(scores.resolution, finite(scores.candidate), finite(scores.baseline));
}

/// Tolerance of quantities that are averaged: rounding noise only, never half a step of the metric.
double noise_of(const PairedScores& scores) {
  return tie_tolerance(std::nullopt, finite(scores.candidate), finite(scores.baseline));
}

void add_floor(VariantSummary& summary, const PairedScores& scores) {
  if (!scores.test_items || !summary.mean) return;
  const double unit = scores.scores_in_percent ? 100.0 : 1.0, tau = *summary.mean / unit;
  if (!(tau >= 0.0 && tau <= 1.0)) return;  // not an accuracy
  summary.binomial_floor = unit * binomial_floor(tau, scores.effective_items.value_or(*scores.test_items));
  if (!summary.sd || *summary.sd == 0.0 || scores.same_test_items) return;
  const double ratio = *summary.binomial_floor / *summary.sd;
  summary.floor_share = ratio * ratio;
}

VariantSummary summary_of(const Scores& of_variant, const std::vector<ScoreBound>& bounds, const PairedScores& scores) {
  const Numbers values = finite(of_variant);
  VariantSummary summary{.runs = static_cast<std::int64_t>(values.size())};
  for (const auto& score : of_variant) {
    summary.missing += score ? 0 : 1;
    summary.diverged += score && !std::isfinite(*score) ? 1 : 0;
  }
  summary.at_least = std::ranges::count(bounds, ScoreBound::at_least);
  summary.at_most = std::ranges::count(bounds, ScoreBound::at_most);
  summary.mean = mean(values);
  summary.sd = sd(values);
  add_floor(summary, scores);
  return summary;
}

/// The judged pairs as plain numbers, higher is better; failed and diverged trials rank below all others.
struct Judged {
  Numbers candidate, baseline;
};

Judged judged_pairs(const PairedScores& given, const Design& design) {
  const PairedScores scores = decided_scores(given);
  const double sign = scores.direction == Direction::higher ? 1.0 : -1.0;
  double largest = 0.0;
  for (const Scores* side : {&scores.candidate, &scores.baseline})
    for (const double score : finite(*side)) largest = std::max(largest, std::fabs(score));
  const double last = -2.0 * largest - 1.0 - 2.0 * scores.resolution.value_or(0.0);  // further away than any tolerance
  const auto rank = [&](const std::optional<double>& score) { return usable(score) ? sign * *score : last; };
  Judged judged;
  for (std::size_t i = 0; i < scores.candidate.size(); ++i) {
    const bool failed = !scores.candidate[i] || !scores.baseline[i];
    if (failed && design.failure != FailurePolicy::loss) continue;
    judged.candidate.push_back(rank(scores.candidate[i]));
    judged.baseline.push_back(rank(scores.baseline[i]));
  }
  return judged;
}

bool coarse(const Scores& scores, double tolerance) {
  const Numbers values = finite(scores);
  if (values.empty()) return false;
  const auto group = tie_groups(values, tolerance);
  const std::size_t distinct = *std::ranges::max_element(group) + 1;
  return 2 * distinct < values.size();
}

std::int64_t pairs_left_open(const std::vector<PairOutcome>& outcomes, const PairedScores& scores) {
  std::int64_t open = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    if (outcomes[i] == PairOutcome::tie &&
        (candidate_bound(scores, i) != ScoreBound::exact || baseline_bound(scores, i) != ScoreBound::exact))
      ++open;
  return open;
}

void count_wins(Verdict& v, const PairedScores& scores) {
  const Judged judged = judged_pairs(scores, v.design);
  // The tolerance of the real scores: the stand-in for a failed trial must not widen it.
  const double step = std::max(2.0 * pair_tolerance(scores), 1e-300);
  const std::vector<PairOutcome> outcomes = pair_outcomes(scores, v.design);
  const PairCounts counts = counts_of(outcomes);
  v.open_pairs = pairs_left_open(outcomes, scores);
  v.dropped_pairs = counts.left_out;
  v.counts = counts.wins;
  v.both_failed = counts.both_failed;
  v.paired_p = win_interval(v.counts, v.design.alpha);
  v.untied_p = win_interval({.wins = v.counts.wins, .losses = v.counts.losses}, v.design.alpha);
  v.p_better = binomial_at_least(v.counts.wins, v.counts.untied(), 0.5);
  v.p_worse = binomial_at_least(v.counts.losses, v.counts.untied(), 0.5);
  v.applied = fixed_rule(v.counts.untied(), v.design.levels());
  if (judged.candidate.empty() || levels_bounds(scores)) return;
  v.unpaired = unpaired_theta(judged.candidate, judged.baseline, v.design.alpha, step);
  v.paired_theta_se = delong(judged.candidate, judged.baseline, step).se;
}

/// Differences of two scores of the range.
Estimate cut_to_range(const Estimate& difference, const PairedScores& scores) {
  if (!scores.range) return difference;
  const double width = scores.range->second - scores.range->first;
  return cut_to(difference, -width, width);
}

void measure_differences(Verdict& v, const PairedScores& scores) {
  const CompletePairs complete = complete_pairs(scores);
  const double noise = noise_of(scores);
  v.complete_pairs = static_cast<std::int64_t>(complete.difference.size());
  v.difference = paired_t(complete.difference, {.alpha = v.design.alpha, .tolerance = noise});
  if (v.difference) v.difference->mean = cut_to_range(v.difference->mean, scores);
  v.pairing_gain = pairing_gain(complete.candidate, complete.baseline, noise);
  v.drift_test = runs_test(complete.difference, noise);
  if (!v.design.margin || v.complete_pairs < 2) return;
  const double alpha = v.design.alpha;
  const auto wider = paired_t(complete.difference, {.alpha = 2.0 * alpha, .tolerance = noise});
  v.equivalence = {*tost(complete.difference, *v.design.margin, {.alpha = alpha, .tolerance = noise}),
                   cut_to_range(wider->mean, scores)};
}

Flags flags_of(const Verdict& v, const PairedScores& scores) {
  const double tolerance = pair_tolerance(scores);
  const auto constant = [](const VariantSummary& summary) { return summary.sd && *summary.sd == 0.0; };
  return {.drift = v.drift_test && v.drift_test->p_two < drift_level,
          .coarse_metric = coarse(scores.candidate, tolerance) || coarse(scores.baseline, tolerance),
          .small_sample = !critical_wins(v.counts.untied(), v.design.alpha),
          .degenerate = (v.difference && v.difference->degenerate) || constant(v.candidate) || constant(v.baseline),
          .conditional_on_ties = v.counts.ties > 0,
          .same_test_items = scores.same_test_items};
}

std::optional<InvalidReason> why_invalid(const Verdict& v, std::int64_t given) {
  if (given > v.design.pairs) return InvalidReason::extended;
  if (given < v.design.pairs) return InvalidReason::design_mismatch;
  const bool refused = v.design.failure == FailurePolicy::refuse && v.candidate.missing + v.baseline.missing > 0;
  if (refused || v.counts.pairs() == 0) return InvalidReason::missing;
  if (v.counts.tie_share() > v.design.tie_limit || v.counts.untied() == 0) return InvalidReason::ties;
  return std::nullopt;
}

}  // namespace

TestSettings settings_of_test(const PairedScores& scores, const Design& design) {
  const auto* row = find_comparison(design.test);
  const bool unpaired = row != nullptr && row->pairing == Pairing::unpaired;
  return {.direction = scores.direction,
          .alpha = design.alpha,
          .beta = design.beta,
          .gamma = unpaired ? design.gamma : design.levels().gamma,
          .sides = design.sides,
          .tie_limit = design.tie_limit,
          .resolution = scores.resolution,
          .margin = design.margin,
          .overlap = std::nullopt,
          .key = design.key};
}

namespace {

/// Applies the declared test to the complete pairs. A test of numbers cannot rank a trial without a number: unless the
/// design drops such pairs, the verdict is INVALID (missing).
void decide_by_test(Verdict& v, const PairedScores& scores) {
  const CompletePairs complete = complete_pairs(scores);
  const std::int64_t diverged = v.candidate.diverged + v.baseline.diverged;
  if (complete.left_out > 0 && (v.design.failure != FailurePolicy::drop || diverged > 0)) {
    v.reason = InvalidReason::missing;
    v.detail = std::to_string(complete.left_out) + " pairs lack a finite score, which test " + v.design.test + " needs";
    return;
  }
  const auto* row = find_comparison(v.design.test);
  if (row != nullptr && row->pairing == Pairing::unpaired && levels_bounds(scores)) {
    v.reason = InvalidReason::design_mismatch;
    v.detail =
        "scores are bounds at different values, so test " + v.design.test + " cannot compare runs of different pairs";
    return;
  }
  try {
    v.test = compare(v.design.test, complete.candidate, complete.baseline, settings_of_test(scores, v.design));
  } catch (const InvalidInput& refused) {
    v.reason = row && v.complete_pairs < row->min_runs ? InvalidReason::missing : InvalidReason::design_mismatch;
    v.detail = "test " + v.design.test + " cannot take these scores (" + refused.what() + ")";
    return;
  }
  v.status = v.test->status;
  v.reason = v.test->reason;
}

void decide_status(Verdict& v, const PairedScores& scores) {
  const auto given = static_cast<std::int64_t>(scores.candidate.size());
  v.reason = why_invalid(v, given);
  if (v.reason) return;
  if (v.design.test != "pab_exact") {
    decide_by_test(v, scores);
    return;
  }
  v.status = pab_exact(v.counts.wins, v.counts.untied(), v.design.levels());
  const bool directional = v.status == Status::better || v.status == Status::worse;
  const bool equivalent = beyond_margin(v) == Answer::no || beyond_band(v) == Answer::no;
  if (!directional && equivalent) v.status = Status::equivalent;
  if (v.status == Status::inconclusive) v.more_pairs = more_pairs(v.counts.wins, v.counts.untied(), v.design.levels());
}

Status favored_by(const Estimate& difference, Direction direction) {
  const bool above = difference.low && *difference.low > 0.0, below = difference.high && *difference.high < 0.0;
  if (!above && !below) return Status::inconclusive;
  return above == (direction == Direction::higher) ? Status::better : Status::worse;
}

void describe(Verdict& v, const PairedScores& scores) {
  v.candidate = summary_of(scores.candidate, scores.candidate_bounds, scores);
  v.baseline = summary_of(scores.baseline, scores.baseline_bounds, scores);
  v.planned = fixed_rule(v.design.pairs, v.design.levels());
  count_wins(v, scores);
  measure_differences(v, scores);
  v.flags = flags_of(v, scores);
}

/// Turns an interval of oriented differences into candidate - baseline, in the unit of the metric.
Estimate unoriented(Estimate interval, Direction direction) {
  if (direction == Direction::higher) return interval;
  interval.point = -interval.point;
  std::swap(interval.low, interval.high);
  for (auto* bound : {&interval.low, &interval.high})
    if (*bound) **bound = -**bound;
  return interval;
}

/// If the number of pairs depends on the scores, only results that hold at every look are reported.
void drop_single_look_results(Verdict& v, Direction direction) {
  const auto& looks = v.sequential->looks;
  v.unpaired = std::nullopt;
  v.paired_theta_se = std::nullopt;
  v.equivalence = std::nullopt;
  v.flags.small_sample = false;
  v.paired_p.low = v.paired_p.high = std::nullopt;
  v.paired_p.method = "none that holds at every look";
  v.untied_p = v.paired_p;
  if (v.difference) {
    v.difference->mean.low = v.difference->mean.high = std::nullopt;
    v.difference->mean.method = "none that holds at every look";
  }
  if (looks.empty()) return;
  const SequentialStep& last = looks.back();
  if (family_of(v.design).data == SequentialData::wins)
    v.paired_p = last.interval;
  else if (v.difference && !last.interval.method.empty())
    v.difference->mean = unoriented(last.interval, direction);
}

void judge_sequential(Verdict& v, const PairedScores& scores) {
  const Followed followed = follow(scores, v.design);
  v.sequential = followed.part;
  const PairedScores judged = first_pairs(scores, followed.part.at_n);
  describe(v, judged);
  drop_single_look_results(v, scores.direction);
  v.planned = {.pairs = v.design.pairs, .min_p = 0.0};
  if (const auto plan = sign_plan_of(v.design)) {
    const double win_rate = v.design.levels().win_rate();
    v.planned.size = operating(*plan, 0.5).better;
    v.planned.power = operating(*plan, win_rate).better;
    const auto given_ties = sign_plan_of(v.design, v.counts.ties + v.dropped_pairs);
    v.sequential->at_half = operating(*given_ties, 0.5);
    v.sequential->at_win_rate = operating(*given_ties, win_rate);
  }
  v.reason = followed.reason;
  v.detail = followed.detail;
  if (v.reason) return;
  v.status = Status::inconclusive;
  if (v.sequential->state != SequentialState::go_on && !v.sequential->looks.empty())
    v.status = v.sequential->looks.back().status;
}

}  // namespace

double Verdict::false_positive_rate() const {
  if (status == Status::invalid) return planned.size;
  if (!sequential) return applied.size;
  return sequential->at_half ? sequential->at_half->better : planned.size;
}

Verdict judge(const PairedScores& scores, const Design& design) {
  require_design(scores, design);
  Verdict v{.design = design};
  try {
    if (family_of(design).sequential()) {
      judge_sequential(v, scores);
    } else {
      describe(v, scores);
      if (v.difference) v.mean_favors = favored_by(v.difference->mean, scores.direction);
      decide_status(v, scores);
    }
  } catch (const NumericalFailure& failure) {
    v.status = Status::invalid;
    v.reason = InvalidReason::numerics;
    v.detail = failure.what();
  }
  v.failures = failed_pairs(scores, v.sequential ? v.sequential->at_n : std::ssize(scores.candidate));
  if (auto problem = informative_failures(v); !problem.empty()) {
    v.status = Status::invalid;
    v.reason = InvalidReason::missing;
    v.detail = std::move(problem);
  }
  v.warnings = warnings_of(v);
  return v;
}

}  // namespace retrial::variance::inline verdict
