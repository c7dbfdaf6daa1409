#include "variance/bayes/bayes.hpp"

#include <algorithm>
#include <cmath>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/means/paired.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"
#include "variance/wins/win.hpp"

namespace retrial::variance::inline bayes {
namespace {

Posterior point_mass(double mean, double rope) {
  if (std::fabs(mean) <= rope && rope > 0.0) return {.rope = 1.0};
  if (mean == 0.0) return {.left = 0.5, .right = 0.5};
  return mean > 0.0 ? Posterior{.right = 1.0} : Posterior{.left = 1.0};
}

}  // namespace

CorrelatedT correlated_t_of(std::int64_t n, double mean, double variance, double rope, double rho, double alpha) {
  require_at_least("pairs", n, 2);
  require_not_negative("rope", rope);
  require_between("alpha", alpha, 0.0, 1.0);
  if (!(rho >= 0.0 && rho < 1.0)) throw InvalidInput("rho", shortest(rho), "at least 0, below 1");
  const double count = static_cast<double>(n);
  CorrelatedT result{.scale = std::sqrt((1.0 / count + rho / (1.0 - rho)) * variance), .df = count - 1.0};
  result.mean = {.point = mean, .low = mean, .high = mean, .level = 1.0 - alpha, .method = "correlated t posterior"};
  if (result.scale == 0.0) {
    result.posterior = point_mass(mean, rope);
    return result;
  }
  const double half = student_quantile(1.0 - alpha / 2.0, result.df) * result.scale;
  result.mean.low = mean - half;
  result.mean.high = mean + half;
  result.posterior.left = student_cdf((-rope - mean) / result.scale, result.df);
  result.posterior.right = student_cdf((mean - rope) / result.scale, result.df);
  result.posterior.rope = rope > 0.0 ? std::max(0.0, 1.0 - result.posterior.left - result.posterior.right) : 0.0;
  return result;
}

CorrelatedT correlated_t(std::span<const double> differences, double rope, double rho, double alpha) {
  require_finite("differences", differences);
  const auto n = static_cast<std::int64_t>(differences.size());
  require_at_least("pairs", n, 2);
  return correlated_t_of(n, *mean(differences), *sample_variance(differences), rope, rho, alpha);
}

std::array<double, 3> largest_of_gammas(const std::array<double, 3>& shapes) {
  if (std::ranges::any_of(shapes, [](double a) { return !(a > 0.0 && std::isfinite(a)); }) ||
      *std::ranges::max_element(shapes) < 0.5)
    throw InvalidInput("shapes", shortest(shapes[0]), "finite numbers greater than 0, one of them 0.5 or more");
  std::array<double, 3> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = shapes[i], b = shapes[(i + 1) % 3], c = shapes[(i + 2) % 3];
    const double high = a + 12.0 * std::sqrt(a) + 60.0, log_norm = log_gamma(a);
    if (a >= 20.0) {
      const auto integrand = [&](double g) { return gamma_density(g, a) * gamma_cdf(g, b) * gamma_cdf(g, c); };
      result[i] = integrate(integrand, std::max(0.0, a - 12.0 * std::sqrt(a)), high, 24);
      continue;
    }
    // Over log g: the density of a small shape is not bounded at 0. Below e^-80 the factor of the largest shape is 0.
    const auto integrand = [&](double u) {
      const double g = std::exp(u);
      return std::exp(a * u - g - log_norm) * gamma_cdf(g, b) * gamma_cdf(g, c);
    };
    result[i] = integrate(integrand, -80.0, 0.0, 80) + integrate(integrand, 0.0, std::log(high), 12);
  }
  return result;
}

Posterior dirichlet_sign(std::span<const double> differences, double rope, const SignPrior& prior) {
  require_not_negative("rope", rope);
  require_finite("differences", differences);
  require_at_least("pairs", static_cast<std::int64_t>(differences.size()), 1);
  require_not_negative("prior", prior.strength);
  std::array<double, 3> shapes{1e-4, 1e-4, 1e-4};
  for (const double d : differences) shapes[d < -rope ? 0 : d > rope ? 2 : 1] += 1.0;
  shapes[static_cast<std::size_t>(prior.place)] += prior.strength;
  const auto largest = largest_of_gammas(shapes);
  return {.left = largest[0], .rope = largest[1], .right = largest[2]};
}

namespace {

/// Student's law is that of the posterior; differences that repeat have at least the p of their signs.
ExactClaims exact_means(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  const PairedOptions options{.overlap = settings.rho / (1.0 - settings.rho),
                              .tolerance = tie_tolerance(std::nullopt, scores.candidate, scores.baseline)};
  const PairedT t = *paired_t(differences, options);
  ExactClaims exact{.law = "t test", .worse = t.p_less, .better = t.p_greater};
  if (settings.rope > 0.0) exact.equivalent = tost(differences, settings.rope, options)->p();
  return exact;
}

/// p of "this category is more frequent than either of the others": both sign tests must reject.
double most_frequent(std::int64_t category, std::int64_t other, std::int64_t another) {
  return std::max(binomial_at_least(category, category + other, 0.5),
                  binomial_at_least(category, category + another, 0.5));
}

ExactClaims exact_frequencies(std::span<const double> differences, double rope) {
  std::int64_t left = 0, within = 0, right = 0;
  for (const double d : differences) ++(d < -rope ? left : d > rope ? right : within);
  ExactClaims exact{
      .law = "sign test", .worse = most_frequent(left, within, right), .better = most_frequent(right, within, left)};
  if (rope > 0.0) exact.equivalent = most_frequent(within, left, right);
  return exact;
}

}  // namespace

TestOutcome run_bayes_t(const TwoSamples& scores, const TestSettings& settings) {
  const CorrelatedT t = correlated_t(differences_of(scores), settings.rope, settings.rho, settings.alpha);
  TestOutcome outcome = judged(t.posterior, settings, t.mean, mean_difference);
  outcome.df = t.df;
  outcome.method = "Bayesian correlated t";
  outcome.details.emplace_back("scale", t.scale);
  require_exact(outcome, exact_means(scores, settings), settings);
  return outcome;
}

TestOutcome run_bayes_sign(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  TestOutcome outcome = judged(dirichlet_sign(differences, settings.rope), settings,
                               win_interval(paired_win(scores.candidate, scores.baseline, settings.resolution),
                                            settings.alpha, settings.interval),
                               win_share);
  note_interval(outcome, settings);
  outcome.method = "Bayesian sign test";
  require_exact(outcome, exact_frequencies(differences, settings.rope), settings);
  note_too_few(outcome, differences.size(), settings);
  return outcome;
}

}  // namespace retrial::variance::inline bayes
