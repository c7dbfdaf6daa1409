#include "variance/theta.hpp"

#include <algorithm>
#include <cmath>

#include "variance/check.hpp"
#include "variance/rng.hpp"
#include "variance/sum.hpp"
#include "variance/summary.hpp"
#include "variance/ties.hpp"

namespace retrial::variance {
namespace {

using Counts = std::vector<std::int64_t>;

/// Twice the number of `others` below each group, ties counted one half: integers, so that theta is exact.
Counts doubled_below(const Counts& others) {
  Counts result(others.size());
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

Estimate separated(double theta, double bound, double level) {
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
  require_at_least("candidate runs", static_cast<std::int64_t>(candidate.size()), 1);
  require_at_least("baseline runs", static_cast<std::int64_t>(baseline.size()), 1);
  require_finite("candidate", candidate);
  require_finite("baseline", baseline);
  std::vector<double> pool(candidate.begin(), candidate.end());
  pool.insert(pool.end(), baseline.begin(), baseline.end());
  const auto group = tie_groups(pool, tie_tolerance(resolution, pool));
  const std::size_t groups = *std::ranges::max_element(group) + 1, n = candidate.size(), m = baseline.size();
  Counts candidates(groups), baselines(groups);
  for (std::size_t i = 0; i < pool.size(); ++i) ++(i < n ? candidates : baselines)[group[i]];

  const Counts baselines_below = doubled_below(baselines), candidates_below = doubled_below(candidates);
  const double pairs = 2.0 * static_cast<double>(n) * static_cast<double>(m);
  Placements result{.candidate = std::vector<double>(n), .baseline = std::vector<double>(m)};
  std::int64_t doubled_u = 0;
  for (std::size_t i = 0; i < n; ++i) {
    doubled_u += baselines_below[group[i]];
    result.candidate[i] = static_cast<double>(baselines_below[group[i]]) / static_cast<double>(2 * m);
  }
  for (std::size_t j = 0; j < m; ++j) {
    const auto above = static_cast<std::int64_t>(2 * n) - candidates_below[group[n + j]];
    result.baseline[j] = static_cast<double>(above) / static_cast<double>(2 * n);
  }
  for (std::size_t g = 0; g < groups; ++g) result.ties += candidates[g] * baselines[g];
  result.theta = static_cast<double>(doubled_u) / pairs;
  return result;
}

UnpairedTheta unpaired_theta(std::span<const double> candidate, std::span<const double> baseline, double alpha,
                             std::optional<double> resolution) {
  require_between("alpha", alpha, 0.0, 0.5);
  const Placements place = placements(candidate, baseline, resolution);
  const double n = static_cast<double>(candidate.size()), m = static_cast<double>(baseline.size());
  const double level = 1.0 - alpha, z = quantile(1.0 - alpha / 2.0), theta = place.theta;
  UnpairedTheta result{.theta = theta,
                       .ties = place.ties,
                       .s10 = sample_variance(place.candidate),
                       .s01 = sample_variance(place.baseline)};
  result.interval = {.point = theta, .level = level, .method = "none: no spread to measure"};
  result.wald = {.point = theta, .level = level, .method = "wald"};
  if (result.s10 && result.s01) result.se = std::sqrt(*result.s10 / n + *result.s01 / m);
  if (theta == 0.0 || theta == 1.0) {
    const auto runs = [](std::span<const double> x) { return static_cast<std::int64_t>(x.size()); };
    result.interval = separated(theta, separation_bound(runs(candidate), runs(baseline), alpha), level);
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
  if (candidate.size() != baseline.size())
    throw InvalidInput("baseline", std::to_string(baseline.size()) + " scores",
                       "as many as the candidate's " + std::to_string(candidate.size()));
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

}  // namespace retrial::variance
