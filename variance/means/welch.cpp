#include <algorithm>
#include <cmath>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/means/classical.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline means {
namespace {

struct Parts {
  double difference, se, df;
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
  return {of_a.mean - of_b.mean, std::sqrt(v), df};
}

/// (difference - hypothesis) / se; infinite without spread, 0 when there is neither.
double welch_statistic(const Parts& parts, double hypothesis) {
  const double distance = parts.difference - hypothesis;
  if (parts.se > 0.0) return distance / parts.se;
  return distance == 0.0 ? 0.0 : std::copysign(unlimited, distance);
}

Estimate difference_interval(const Parts& parts, double level) {
  const double half = parts.se > 0.0 ? student_quantile(0.5 + level / 2.0, parts.df) * parts.se : 0.0;
  return {.point = parts.difference,
          .low = parts.difference - half,
          .high = parts.difference + half,
          .level = level,
          .method = "Welch t"};
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
  result.test.p_less = tails.below;
  result.test.p_greater = tails.above;
  result.test.p_two = tails.two();
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
  // Without spread a difference on the margin itself is not within it.
  const double p_above = parts.se == 0.0 && above == 0.0 ? 1.0 : student_cdf(-above, parts.df);
  const double p_below = parts.se == 0.0 && below == 0.0 ? 1.0 : student_cdf(below, parts.df);
  result.test.statistic = p_above > p_below ? above : below;
  if (parts.se > 0.0) result.test.df = parts.df;
  result.test.p_greater = p_above;
  result.test.p_less = p_below;
  result.test.p_two = std::max(p_above, p_below);
  return result;
}

TestOutcome run_welch(const TwoSamples& scores, const TestSettings& settings) {
  const MeanTest t = welch_t(scores.candidate, scores.baseline, settings.alpha);
  std::optional<double> p_equivalent;
  if (settings.margin)
    p_equivalent = welch_equivalence(scores.candidate, scores.baseline, *settings.margin, settings.alpha).test.p_two;
  return judged(t.test, settings, t.difference, mean_difference, p_equivalent);
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
  return outcome;
}

}  // namespace retrial::variance::inline means
