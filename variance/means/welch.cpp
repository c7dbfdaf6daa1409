#include <algorithm>
#include <cmath>
#include <vector>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/comparisons/least_p.hpp"
#include "variance/means/classical.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline means {
namespace {

struct Parts {
  double difference, se, df, least_label_p;
};

void require_two_runs(std::span<const double> candidate, std::span<const double> baseline, double alpha) {
  require_between("alpha", alpha, 0.0, 0.5);
  require_at_least("candidate runs", static_cast<std::int64_t>(candidate.size()), 2);
  require_at_least("baseline runs", static_cast<std::int64_t>(baseline.size()), 2);
}

Parts welch_parts(std::span<const double> a, std::span<const double> b) {
  const Moments of_a = *moments(a), of_b = *moments(b);
  const double va = of_a.variance / size_of(a), vb = of_b.variance / size_of(b), v = va + vb;
  const double df = v > 0.0 ? v * v / (va * va / (size_of(a) - 1.0) + vb * vb / (size_of(b) - 1.0)) : 1.0;
  const double least = least_label_p(static_cast<std::int64_t>(a.size()), static_cast<std::int64_t>(b.size()));
  return {of_a.mean - of_b.mean, std::sqrt(v), df, least};
}

/// (difference - hypothesis) / se; infinite without spread, 0 when there is neither.
double welch_statistic(const Parts& parts, double hypothesis) {
  const double distance = parts.difference - hypothesis;
  if (parts.se > 0.0) return distance / parts.se;
  return distance == 0.0 ? 0.0 : std::copysign(unlimited, distance);
}

/// Without spread a difference is rejected by the labels of the runs, or not at all.
Estimate difference_interval(const Parts& parts, double level) {
  Estimate difference{.point = parts.difference, .low = {}, .high = {}, .level = level, .method = "Welch t"};
  if (parts.se == 0.0 && parts.least_label_p > (1.0 - level) / 2.0) return difference;
  const double half = parts.se > 0.0 ? student_quantile(0.5 + level / 2.0, parts.df) * parts.se : 0.0;
  difference.low = parts.difference - half;
  difference.high = parts.difference + half;
  return difference;
}

/// Smallest p of the labels if the candidate is `hypothesis` above the baseline.
LeastP least_at(std::span<const double> candidate, std::span<const double> baseline, double hypothesis) {
  std::vector<double> moved(candidate.begin(), candidate.end());
  for (double& x : moved) x -= hypothesis;
  return least_p_of_labels(moved, baseline);
}

}  // namespace

MeanTest welch_t(std::span<const double> candidate, std::span<const double> baseline, double alpha) {
  require_two_runs(candidate, baseline, alpha);
  const Parts parts = welch_parts(candidate, baseline);
  // Not in one designated initializer: if difference_interval throws, g++ 12 destroys the preceding string twice.
  MeanTest result;
  result.test.method = "Welch t";
  result.difference = difference_interval(parts, 1.0 - alpha);
  if (parts.se == 0.0) result.test.note = "degenerate: neither sample varies";
  if (parts.se == 0.0 && parts.difference == 0.0) return result;
  const double t = welch_statistic(parts, 0.0);
  result.test.statistic = t;
  if (parts.se > 0.0) result.test.df = parts.df;
  const StudentTails tails = student_tails(t, parts.df);
  const LeastP least = least_at(candidate, baseline, 0.0);
  result.test.p_less = std::max(tails.below, least.less);
  result.test.p_greater = std::max(tails.above, least.greater);
  result.test.p_two = doubled_tail(result.test.p_less, result.test.p_greater);
  result.by_labels = std::min(result.test.p_less, result.test.p_greater) > std::min(tails.below, tails.above);
  return result;
}

MeanTest welch_equivalence(std::span<const double> candidate, std::span<const double> baseline, double margin,
                           double alpha) {
  require_two_runs(candidate, baseline, alpha);
  require_positive("margin", margin);
  const Parts parts = welch_parts(candidate, baseline);
  const double above = welch_statistic(parts, -margin), below = welch_statistic(parts, margin);
  MeanTest result;
  result.test.method = "two one-sided Welch tests";
  result.difference = difference_interval(parts, 1.0 - 2.0 * alpha);
  const double student_above = student_cdf(-above, parts.df), student_below = student_cdf(below, parts.df);
  const double p_above = std::max(student_above, least_at(candidate, baseline, -margin).greater);
  const double p_below = std::max(student_below, least_at(candidate, baseline, margin).less);
  result.test.statistic = p_above > p_below ? above : below;
  if (parts.se > 0.0) result.test.df = parts.df;
  result.test.p_greater = p_above;
  result.test.p_less = p_below;
  result.test.p_two = std::max(p_above, p_below);
  result.by_labels = result.test.p_two > std::max(student_above, student_below);
  return result;
}

TestOutcome run_welch(const TwoSamples& scores, const TestSettings& settings) {
  const MeanTest t = welch_t(scores.candidate, scores.baseline, settings.alpha);
  std::optional<double> p_equivalent;
  if (settings.margin)
    p_equivalent = welch_equivalence(scores.candidate, scores.baseline, *settings.margin, settings.alpha).test.p_two;
  TestOutcome outcome = judged(t.test, settings, t.difference, mean_difference, p_equivalent);
  if (t.by_labels) note_repeats(outcome, scores, settings);
  return outcome;
}

TestOutcome run_welch_tost(const TwoSamples& scores, const TestSettings& settings) {
  const double margin = margin_of(settings);
  const MeanTest t = welch_equivalence(scores.candidate, scores.baseline, margin, settings.alpha);
  TestOutcome outcome{.status = t.test.p_two <= settings.alpha ? Status::equivalent : Status::inconclusive,
                      .df = t.test.df,
                      .p = t.test.p_two,
                      .p_equivalent = t.test.p_two,
                      .method = t.test.method,
                      .estimate = t.difference,
                      .estimand = mean_difference};
  outcome.details = {{"p_above_lower_margin", t.test.p_greater}, {"p_below_upper_margin", t.test.p_less}};
  TestSettings claim = settings;  // EQUIVALENT takes alpha, whether or not the directions share one
  claim.sides = Sides::one;
  if (t.by_labels) note_repeats(outcome, scores, claim);
  return outcome;
}

}  // namespace retrial::variance::inline means
