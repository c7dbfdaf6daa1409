#include "variance/means/paired.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline means {
namespace {

struct Difference {
  double mean, se, df;
  bool degenerate;
};

double spread(std::span<const double> values) {
  const auto [low, high] = std::ranges::minmax(values);
  return high - low;
}

std::optional<Difference> difference_of(std::span<const double> differences, const PairedOptions& options) {
  require_between("alpha", options.alpha, 0.0, 1.0);
  require_not_negative("overlap", options.overlap);
  require_finite("differences", differences);
  const auto both = moments(differences);
  if (!both) return std::nullopt;
  const double count = static_cast<double>(differences.size());
  const double se = std::sqrt((1.0 / count + options.overlap) * both->variance);
  return Difference{both->mean, se, count - 1.0, spread(differences) <= options.tolerance || se == 0.0};
}

/// (mean - hypothesis) / se; infinite without spread, 0 when there is neither.
double t_statistic(const Difference& m, double hypothesis, double tolerance) {
  const double distance = m.mean - hypothesis;
  if (!m.degenerate) return distance / m.se;
  return std::fabs(distance) <= tolerance ? 0.0 : std::copysign(unlimited, distance);
}

/// The distances of the differences from a hypothesis about their mean.
std::vector<double> distances(std::span<const double> differences, double hypothesis) {
  std::vector<double> out(differences.begin(), differences.end());
  for (double& d : out) d -= hypothesis;
  return out;
}

/// Without spread a mean is rejected by the signs of the distances from it, or not at all.
Estimate mean_interval_of(const Difference& m, const PairedOptions& options) {
  Estimate mean{.point = m.mean,
                .low = {},
                .high = {},
                .level = 1.0 - options.alpha,
                .method = options.overlap > 0.0 ? "corrected resampled t" : "paired t"};
  const auto count = static_cast<std::int64_t>(m.df) + 1;
  if (m.degenerate && least_sign_p(count) > options.alpha / 2.0) return mean;
  const double half = m.degenerate ? 0.0 : student_quantile(1.0 - options.alpha / 2.0, m.df) * m.se;
  mean.low = m.mean - half;
  mean.high = m.mean + half;
  return mean;
}

}  // namespace

std::optional<PairedT> paired_t(std::span<const double> differences, const PairedOptions& options) {
  const auto m = difference_of(differences, options);
  if (!m) return std::nullopt;
  PairedT result{.df = m->df, .degenerate = m->degenerate, .least = least_p_of_signs(differences, options.tolerance)};
  result.mean = mean_interval_of(*m, options);
  const double t = t_statistic(*m, 0.0, options.tolerance);
  if (m->degenerate && t == 0.0) return result;
  result.statistic = t;
  const StudentTails tails = student_tails(t, m->df);
  result.p_less = std::max(tails.below, result.least.less);
  result.p_greater = std::max(tails.above, result.least.greater);
  result.p_two = doubled_tail(result.p_less, result.p_greater);
  result.by_signs = std::min(result.p_less, result.p_greater) > std::min(tails.below, tails.above);
  return result;
}

std::optional<Tost> tost(std::span<const double> differences, double margin, const PairedOptions& options) {
  require_positive("margin", margin);
  const auto m = difference_of(differences, options);
  if (!m) return std::nullopt;
  const double above = t_statistic(*m, -margin, options.tolerance), below = t_statistic(*m, margin, options.tolerance);
  const double student_above = student_cdf(-above, m->df), student_below = student_cdf(below, m->df);
  const LeastP from_lower = least_p_of_signs(distances(differences, -margin), options.tolerance);
  const LeastP from_upper = least_p_of_signs(distances(differences, margin), options.tolerance);
  Tost result{.p_above = std::max(student_above, from_lower.greater),
              .p_below = std::max(student_below, from_upper.less)};
  result.equivalent = result.p() <= options.alpha;
  result.by_signs = result.p() > std::max(student_above, student_below);
  return result;
}

std::optional<double> pairing_gain(std::span<const double> candidate, std::span<const double> baseline,
                                   double tolerance) {
  require_pairs(candidate, baseline);
  std::vector<double> differences(candidate.size());
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] = candidate[i] - baseline[i];
  const auto paired = sample_variance(differences);
  if (!paired || *paired == 0.0 || spread(differences) <= tolerance) return std::nullopt;
  return (*sample_variance(candidate) + *sample_variance(baseline)) / *paired;
}

namespace {

/// The t of paired differences whose variance is widened by the overlap of the splits.
TestOutcome t_outcome(const TwoSamples& scores, const TestSettings& settings, double overlap) {
  const auto differences = differences_of(scores);
  const PairedOptions options{.alpha = settings.alpha, .overlap = overlap, .tolerance = tolerance_of(scores, settings)};
  const PairedT t = *paired_t(differences, options);
  TestResult result{.statistic = t.statistic,
                    .p_less = t.p_less,
                    .p_greater = t.p_greater,
                    .p_two = t.p_two,
                    .method = t.mean.method,
                    .note = t.degenerate ? "degenerate: all differences are identical" : ""};
  if (!t.degenerate) result.df = t.df;
  const auto equivalence = settings.margin ? tost(differences, *settings.margin, options) : std::nullopt;
  TestOutcome outcome =
      judged(result, settings, t.mean, mean_difference, equivalence ? std::optional(equivalence->p()) : std::nullopt);
  if (t.by_signs) note_repeats(outcome, differences.size(), settings);
  return outcome;
}

}  // namespace

TestOutcome run_paired_t(const TwoSamples& scores, const TestSettings& settings) {
  return t_outcome(scores, settings, 0.0);
}

TestOutcome run_corrected_t(const TwoSamples& scores, const TestSettings& settings) {
  if (!settings.overlap)
    throw InvalidInput("overlap", "none",
                       "test rows divided by train rows of the splits; .582 for out-of-bootstrap splits");
  return t_outcome(scores, settings, *settings.overlap);
}

TestOutcome run_tost(const TwoSamples& scores, const TestSettings& settings) {
  const double margin = margin_of(settings);
  const auto differences = differences_of(scores);
  const PairedOptions options{.alpha = settings.alpha, .tolerance = tolerance_of(scores, settings)};
  const Tost test = *tost(differences, margin, options);
  const Estimate interval =
      paired_t(differences, {.alpha = 2.0 * settings.alpha, .tolerance = options.tolerance})->mean;
  TestOutcome outcome{.status = test.equivalent ? Status::equivalent : Status::inconclusive,
                      .p = test.p(),
                      .p_equivalent = test.p(),
                      .method = "two one-sided paired t tests",
                      .estimate = interval,
                      .estimand = mean_difference};
  outcome.details = {{"p_above_lower_margin", test.p_above}, {"p_below_upper_margin", test.p_below}};
  TestSettings claim = settings;  // EQUIVALENT takes alpha, whether or not the directions share one
  claim.sides = Sides::one;
  if (test.by_signs) note_repeats(outcome, differences.size(), claim);
  return outcome;
}

}  // namespace retrial::variance::inline means
