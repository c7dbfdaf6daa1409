#include <algorithm>
#include <cmath>
#include <vector>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/means/trimmed.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::variance::inline means {
namespace {

constexpr std::size_t one_in = 5;  ///< share of the scores trimmed at either end
constexpr std::int64_t min_trimmed_runs = 5;

struct Trimmed {
  double mean, squared_error, df;
  bool varies;
};

Trimmed trimmed(std::span<const double> scores, double tolerance) {
  std::vector<double> sorted(scores.begin(), scores.end());
  std::ranges::sort(sorted);
  const std::size_t cut = sorted.size() / one_in;
  const auto kept = std::span(sorted).subspan(cut, sorted.size() - 2 * cut);
  const double centre = *mean(kept), h = size_of(kept);
  const bool varies = kept.back() - kept.front() > tolerance;
  std::fill_n(sorted.begin(), cut, kept.front());
  std::fill_n(sorted.rbegin(), cut, kept.back());
  const double squares = *sample_variance(sorted) * (size_of(sorted) - 1.0);
  return {centre, varies ? squares / (h * (h - 1.0)) : 0.0, h - 1.0, varies};
}

MeanTest trimmed_t(double difference, double squared_error, double df, double alpha, const char* method) {
  MeanTest out;
  out.test.method = method;
  out.difference = {.point = difference, .level = 1.0 - alpha, .method = method};
  if (squared_error == 0.0) {
    out.test.note = "degenerate: the middle scores do not vary, so nothing measures chance";
    return out;
  }
  const double se = std::sqrt(squared_error), half = student_quantile(1.0 - alpha / 2.0, df) * se;
  out.difference.low = difference - half;
  out.difference.high = difference + half;
  const StudentTails tails = student_tails(difference / se, df);
  out.test.statistic = difference / se;
  out.test.df = df;
  out.test.p_less = tails.below;
  out.test.p_greater = tails.above;
  out.test.p_two = tails.two();
  return out;
}

}  // namespace

MeanTest yuen(std::span<const double> candidate, std::span<const double> baseline, double alpha) {
  require_between("alpha", alpha, 0.0, 0.5);
  require_at_least("candidate runs", std::ssize(candidate), min_trimmed_runs);
  require_at_least("baseline runs", std::ssize(baseline), min_trimmed_runs);
  const double noise = tie_tolerance(std::nullopt, candidate, baseline);
  const Trimmed a = trimmed(candidate, noise), b = trimmed(baseline, noise);
  const double v = a.squared_error + b.squared_error;
  const double df =
      v > 0.0 ? v * v / (a.squared_error * a.squared_error / a.df + b.squared_error * b.squared_error / b.df) : 1.0;
  return trimmed_t(a.mean - b.mean, v, df, alpha, "Yuen's t, 20 % trimmed");
}

MeanTest yuen_paired(std::span<const double> differences, double alpha, double tolerance) {
  require_between("alpha", alpha, 0.0, 0.5);
  require_at_least("pairs", std::ssize(differences), min_trimmed_runs);
  const Trimmed d = trimmed(differences, tolerance);
  return trimmed_t(d.mean, d.squared_error, d.df, alpha, "t of trimmed differences, 20 %");
}

TestOutcome run_yuen(const TwoSamples& scores, const TestSettings& settings) {
  const MeanTest t = yuen(scores.candidate, scores.baseline, settings.alpha);
  return judged(t.test, settings, t.difference, "20 % trimmed mean difference (candidate - baseline)");
}

TestOutcome run_yuen_paired(const TwoSamples& scores, const TestSettings& settings) {
  const MeanTest t = yuen_paired(differences_of(scores), settings.alpha,
                                 tie_tolerance(std::nullopt, scores.candidate, scores.baseline));
  return judged(t.test, settings, t.difference, "20 % trimmed mean of the differences (candidate - baseline)");
}

}  // namespace retrial::variance::inline means
