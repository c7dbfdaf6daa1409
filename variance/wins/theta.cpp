#include "variance/wins/theta.hpp"

#include <algorithm>
#include <cmath>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline wins {
namespace {

using GroupCounts = std::vector<std::int64_t>;

/// Twice the number of `others` below each group, ties counted as half: integers, so that theta is exact.
GroupCounts doubled_below(const GroupCounts& others) {
  GroupCounts result(others.size());
  std::int64_t below = 0;
  for (std::size_t g = 0; g < others.size(); ++g) {
    result[g] = 2 * below + others[g];
    below += others[g];
  }
  return result;
}

Estimate logit_interval(double theta, double se, double z, double level) {
  const double centre = std::log(theta / (1.0 - theta)), half = z * se / (theta * (1.0 - theta));
  const auto expit = [](double x) { return 1.0 / (1.0 + std::exp(-x)); };
  return {.point = theta, .low = expit(centre - half), .high = expit(centre + half), .level = level, .method = "logit"};
}

Estimate separated_estimate(double theta, double bound, double level) {
  const bool won = theta == 1.0;
  return {.point = theta,
          .low = won ? bound : 0.0,
          .high = won ? 1.0 : 1.0 - bound,
          .level = level,
          .method = "complete separation"};
}

}  // namespace

Placements placements(std::span<const double> candidate, std::span<const double> baseline,
                      std::optional<double> resolution) {
  return placements(pooled_runs(candidate, baseline, resolution));
}

Placements placements(const PooledRuns& pool) {
  const std::size_t n = pool.candidate_runs(), m = pool.baseline_runs();
  const GroupCounts baselines_below = doubled_below(pool.baselines), candidates_below = doubled_below(pool.candidates);
  Placements result{.candidate = std::vector<double>(n), .baseline = std::vector<double>(m)};
  for (std::size_t i = 0; i < n; ++i)
    result.candidate[i] = static_cast<double>(baselines_below[pool.group[i]]) / static_cast<double>(2 * m);
  for (std::size_t j = 0; j < m; ++j) {
    const auto above = static_cast<std::int64_t>(2 * n) - candidates_below[pool.group[n + j]];
    result.baseline[j] = static_cast<double>(above) / static_cast<double>(2 * n);
  }
  result.ties = pool.tied_pairs();
  result.theta = static_cast<double>(pool.doubled_u()) / (2.0 * static_cast<double>(n) * static_cast<double>(m));
  return result;
}

UnpairedTheta unpaired_theta(std::span<const double> candidate, std::span<const double> baseline, double alpha,
                             std::optional<double> resolution) {
  return unpaired_theta(pooled_runs(candidate, baseline, resolution), alpha);
}

UnpairedTheta unpaired_theta(const PooledRuns& pool, double alpha) {
  require_between("alpha", alpha, 0.0, 0.5);
  const Placements place = placements(pool);
  const double n = static_cast<double>(pool.candidate_runs()), m = static_cast<double>(pool.baseline_runs());
  const double level = 1.0 - alpha, z = quantile(1.0 - alpha / 2.0), theta = place.theta;
  UnpairedTheta result{.theta = theta,
                       .ties = place.ties,
                       .s10 = sample_variance(place.candidate),
                       .s01 = sample_variance(place.baseline)};
  result.interval = {.point = theta, .level = level, .method = "none: no spread to measure"};
  result.wald = {.point = theta, .level = level, .method = "wald"};
  if (result.s10 && result.s01) result.se = std::sqrt(*result.s10 / n + *result.s01 / m);
  if (theta == 0.0 || theta == 1.0) {
    const auto runs = [](std::size_t count) { return static_cast<std::int64_t>(count); };
    result.interval = separated_estimate(
        theta, separation_bound(runs(pool.candidate_runs()), runs(pool.baseline_runs()), alpha), level);
  } else if (result.se && *result.se > 0.0) {
    result.interval = logit_interval(theta, *result.se, z, level);
    result.wald.low = theta - z * *result.se;
    result.wald.high = theta + z * *result.se;
  }
  return result;
}

double separation_bound(std::int64_t n, std::int64_t m, double alpha) {
  require_at_least("n", n, 1);
  require_at_least("m", m, 1);
  require_between("alpha", alpha, 0.0, 0.5);
  return std::pow(alpha / 2.0, 1.0 / static_cast<double>(std::min(n, m)));
}

PairedTheta delong(std::span<const double> candidate, std::span<const double> baseline,
                   std::optional<double> resolution) {
  require_pairs(candidate, baseline);
  const Placements place = placements(candidate, baseline, resolution);
  const std::size_t count = candidate.size();
  PairedTheta result{.theta = place.theta};
  if (count < 2) return result;
  std::vector<double> products(count), sums(count);
  for (std::size_t i = 0; i < count; ++i) {
    products[i] = (place.candidate[i] - place.theta) * (place.baseline[i] - place.theta);
    sums[i] = place.candidate[i] + place.baseline[i];
  }
  result.covariance = pairwise_sum(products) / static_cast<double>(count - 1);
  // S10 + S01 + 2 cov is the variance of the sums, which cannot come out negative.
  result.se = std::sqrt(*sample_variance(sums) / static_cast<double>(count));
  return result;
}

TestOutcome run_unpaired_win(const TwoSamples& scores, const TestSettings& settings) {
  const auto theta = unpaired_theta(scores.candidate, scores.baseline, settings.alpha, settings.resolution);
  TestResult result{.method = "logit interval of P(A > B)"};
  if (theta.theta == 0.0 || theta.theta == 1.0) {
    // If neither variant is better, all min(n, m) disjoint pairs are won with probability at most 2^-min.
    const double p = std::pow(0.5, static_cast<double>(std::min(scores.candidate.size(), scores.baseline.size())));
    (theta.theta == 1.0 ? result.p_greater : result.p_less) = p;
    result.p_two = std::min(1.0, 2.0 * p);
    result.note = "complete separation";
  } else if (!theta.se || *theta.se == 0.0) {
    return all_tied(result.method, theta.interval, beating);
  } else {
    const double z = std::log(theta.theta / (1.0 - theta.theta)) * theta.theta * (1.0 - theta.theta) / *theta.se;
    result.statistic = z;
    result.p_less = normal_cdf(z);
    result.p_greater = normal_cdf(-z);
    result.p_two = 2.0 * normal_cdf(-std::fabs(z));
  }
  return judged(result, settings, theta.interval, beating);
}

}  // namespace retrial::variance::inline wins
