#include <cmath>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"
#include "variance/spreads/spread.hpp"
#include "variance/spreads/spread_outcome.hpp"

namespace retrial::variance::inline spreads {
namespace {

/// Variances of both sides, and what the pairs leave unexplained: 1 - r^2 of the two.
struct Bivariate {
  double candidate, baseline, covariance;
  [[nodiscard]] double unexplained() const { return 1.0 - covariance * covariance / (candidate * baseline); }
};

Bivariate bivariate_of(std::span<const double> candidate, std::span<const double> baseline) {
  const double a = *mean(candidate), b = *mean(baseline);
  std::vector<double> products(candidate.size());
  for (std::size_t i = 0; i < products.size(); ++i) products[i] = (candidate[i] - a) * (baseline[i] - b);
  return {*sample_variance(candidate), *sample_variance(baseline), pairwise_sum(products) / (size_of(candidate) - 1.0)};
}

}  // namespace

TestResult pitman_morgan(std::span<const double> candidate, std::span<const double> baseline) {
  require_spread_pairs(candidate, baseline, 3);
  TestResult result{.method = "Pitman-Morgan, pairs of normal scores"};
  if (!both_vary(candidate, baseline)) {
    result.note = "a variant that does not vary has no ratio of variances";
    return result;
  }
  const Bivariate v = bivariate_of(candidate, baseline);
  if (v.unexplained() < 1e-12) {  // rounding
    result.note = "the scores of the pairs lie on one line: nothing measures chance";
    return result;
  }
  // cov(a + b, a - b) is the difference of the variances, and var(a + b) var(a - b) their squared sum less 4 cov(a,
  // b)^2.
  const double df = size_of(candidate) - 2.0;
  const double t = (v.candidate - v.baseline) * std::sqrt(df / (4.0 * v.candidate * v.baseline * v.unexplained()));
  const StudentTails tails = student_tails(t, df);
  result.statistic = t;
  result.df = df;
  result.p_less = tails.below;
  result.p_greater = tails.above;
  result.p_two = tails.two();
  return result;
}

std::optional<Estimate> paired_sd_ratio_normal(std::span<const double> candidate, std::span<const double> baseline,
                                               double alpha) {
  require_spread_pairs(candidate, baseline, 3);
  auto out = ratio_of_sds(candidate, baseline, alpha, "Pitman, pairs of normal scores");
  if (!out) return out;
  const double df = size_of(candidate) - 2.0, t = student_quantile(1.0 - alpha / 2.0, df);
  const double h = 2.0 * std::fmax(0.0, bivariate_of(candidate, baseline).unexplained()) * t * t / df;
  const double widening = std::sqrt(1.0 + h + std::sqrt(h * (h + 2.0)));  // K + sqrt(K^2 - 1) of K = 1 + h, rooted
  out->low = out->point / widening;
  out->high = out->point * widening;
  return out;
}

TestOutcome run_pitman_morgan(const TwoSamples& scores, const TestSettings& settings) {
  TestOutcome outcome = judged_spread(pitman_morgan(scores.candidate, scores.baseline), settings,
                                      paired_sd_ratio_normal(scores.candidate, scores.baseline, settings.alpha));
  add_normality(outcome, scores);
  return outcome;
}

}  // namespace retrial::variance::inline spreads
