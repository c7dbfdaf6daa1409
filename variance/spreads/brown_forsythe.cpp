#include <algorithm>
#include <cmath>
#include <vector>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"
#include "variance/spreads/spread.hpp"
#include "variance/spreads/spread_outcome.hpp"

namespace retrial::variance::inline spreads {
namespace {

std::vector<double> distances_from_median(std::span<const double> scores) {
  const double middle = *median(scores);
  std::vector<double> out;
  for (const double x : scores) out.push_back(std::fabs(x - middle));
  return out;
}

}  // namespace

TestResult brown_forsythe(std::span<const double> candidate, std::span<const double> baseline) {
  require_spread_runs(candidate, baseline, 3);
  const auto a = distances_from_median(candidate), b = distances_from_median(baseline);
  const Moments of_a = *moments(a), of_b = *moments(b);
  const double df = size_of(a) + size_of(b) - 2.0;
  const double pooled = ((size_of(a) - 1.0) * of_a.variance + (size_of(b) - 1.0) * of_b.variance) / df;
  const double se = std::sqrt(pooled * (1.0 / size_of(a) + 1.0 / size_of(b)));
  if (se <= tie_tolerance(std::nullopt, candidate, baseline))
    return {.method = "Brown-Forsythe", .note = "the distances from the medians do not vary: F is undefined"};
  const double t = (of_a.mean - of_b.mean) / se;
  const StudentTails tails = student_tails(t, df);
  return {.statistic = t * t,
          .df = 1.0,
          .df_within = df,
          .p_less = tails.below,
          .p_greater = tails.above,
          .p_two = tails.two(),
          .method = "Brown-Forsythe, distances from the medians"};
}

TestOutcome run_brown_forsythe(const TwoSamples& scores, const TestSettings& settings) {
  TestOutcome outcome = judged_spread(brown_forsythe(scores.candidate, scores.baseline), settings,
                                      sd_ratio(scores.candidate, scores.baseline, settings.alpha));
  if (std::min(scores.candidate.size(), scores.baseline.size()) < 10)
    outcome.notes.emplace_back(
        "below ten runs of each, distances from a median find few differences of spread: take INCONCLUSIVE for what it "
        "says");
  const auto [fewer, more] = std::minmax({scores.candidate.size(), scores.baseline.size()});
  if (more >= 2 * fewer)
    outcome.notes.emplace_back(
        "one variant has twice as many runs or more: of equal spreads the one with fewer runs is "
        "called steadier a little too often (6.4 % in place of 5 % at 5 against 20)");
  return outcome;
}

}  // namespace retrial::variance::inline spreads
