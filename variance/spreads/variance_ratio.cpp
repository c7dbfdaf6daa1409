#include <cmath>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"
#include "variance/spreads/spread.hpp"
#include "variance/spreads/spread_outcome.hpp"

namespace retrial::variance::inline spreads {

TestResult variance_ratio(std::span<const double> candidate, std::span<const double> baseline) {
  require_spread_runs(candidate, baseline, 2);
  if (!both_vary(candidate, baseline)) return {.method = "F", .note = "a variant that does not vary has no F"};
  const double df = size_of(candidate) - 1.0, within = size_of(baseline) - 1.0;
  const double f = *sample_variance(candidate) / *sample_variance(baseline);
  TestResult result{.statistic = f, .df = df, .df_within = within, .method = "F of two variances, normal scores"};
  // Each tail by the F that is above 1 there, so that a small p keeps its digits.
  result.p_greater = f_above(f, df, within);
  result.p_less = f_above(1.0 / f, within, df);
  result.p_two = doubled_tail(result.p_less, result.p_greater);
  return result;
}

std::optional<Estimate> sd_ratio_normal(std::span<const double> candidate, std::span<const double> baseline,
                                        double alpha) {
  auto out = ratio_of_sds(candidate, baseline, alpha, "F, normal scores");
  if (!out) return out;
  const double df = size_of(candidate) - 1.0, within = size_of(baseline) - 1.0;
  out->low = out->point / std::sqrt(f_quantile(1.0 - alpha / 2.0, df, within));
  out->high = out->point * std::sqrt(f_quantile(1.0 - alpha / 2.0, within, df));
  return out;
}

TestOutcome run_variance_ratio(const TwoSamples& scores, const TestSettings& settings) {
  TestOutcome outcome = judged_spread(variance_ratio(scores.candidate, scores.baseline), settings,
                                      sd_ratio_normal(scores.candidate, scores.baseline, settings.alpha));
  add_normality(outcome, scores);
  return outcome;
}

}  // namespace retrial::variance::inline spreads
