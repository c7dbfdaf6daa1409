#include "variance/designs/rank_power.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/ranks/ranks.hpp"

namespace retrial::variance::inline designs {
namespace {

/// Largest pairs and runs for which the tests use their exact law (ranks.hpp); above, the normal one.
constexpr std::int64_t max_exact_differences = 200, max_exact_groups = 100;
/// Differences of means beyond which no run of one variant reaches the other.
constexpr double separate = 9.0;

void require_rank_plan(double effect, double level) {
  require_between("level", level, 0.0, 0.5);
  if (!std::isfinite(effect)) throw InvalidInput("effect", shortest(effect), "finite numbers");
}

/// Largest sum of the losing ranks, or number of lost pairs, with which a test still says BETTER; -1: none.
std::int64_t max_lost(std::span<const double> at_most, double level) {
  return std::ranges::upper_bound(at_most, level) - at_most.begin() - 1;
}

/// The same by the normal law of the statistic, without and with a correction for continuity.
std::int64_t max_lost_normal(double mean, double sd, double level, double correction) {
  return static_cast<std::int64_t>(std::floor(mean + quantile(level) * sd - correction));
}

std::int64_t max_lost_ranks(std::int64_t n, double level) {
  if (n <= max_exact_differences) return max_lost(signed_rank_at_most(static_cast<std::size_t>(n)), level);
  const double count = static_cast<double>(n), mean = count * (count + 1.0) / 4.0;
  return max_lost_normal(mean, std::sqrt(mean * (2.0 * count + 1.0) / 6.0), level, 0.0);
}

/// P(U = u), u = 0 .. places - 1, of n runs each: the coefficients of the product of (1 - z^(n+i)) / (1 - z^i), which
/// are counts after each i, as shares of their sum.
std::vector<double> rank_sum_law(std::int64_t n, std::size_t places) {
  const auto count = static_cast<std::size_t>(n);
  std::vector<double> law(places, 0.0);
  law[0] = 1.0;
  for (std::size_t i = 1; i <= count; ++i) {
    for (std::size_t u = places; u-- > count + i;) law[u] -= law[u - count - i];
    for (std::size_t u = i; u < places; ++u) law[u] += law[u - i];
    const double share = static_cast<double>(i) / static_cast<double>(count + i);
    for (double& weight : law) weight *= share;
  }
  return law;
}

std::int64_t max_lost_pairs(std::int64_t n, double level) {
  if (n <= max_exact_groups) {
    if (rank_sum_law_counts(n, n)) return max_lost(rank_sum_at_most(n, n), level);
    auto law = rank_sum_law(n, static_cast<std::size_t>(n * n / 2 + 1));
    for (std::size_t u = 1; u < law.size(); ++u) law[u] += law[u - 1];
    return max_lost(law, level);
  }
  const double count = static_cast<double>(n), mean = count * count / 2.0;
  return max_lost_normal(mean, std::sqrt(count * count * (2.0 * count + 1.0) / 12.0), level, 0.5);
}

/// Values of a function on an even grid of scores.
using Curve = std::vector<double>;

/// A probability among runs that all score at most x, on the grid of x: an average over the score y of the highest of
/// them. The law of y has the distribution function V(y) / V(x); log V is taken as linear between two points. The
/// average up to a point is made of that up to the point before and of the mean over the step between them, with
/// positive weights that sum to 1, so that errors do not grow.
class HighestRun {
 public:
  explicit HighestRun(const Curve& log_law) : before_(log_law.size()), here_(log_law.size()), next_(log_law.size()) {
    for (std::size_t x = 1; x < log_law.size(); ++x) {
      const double growth = log_law[x] - log_law[x - 1], rest = std::exp(-growth);
      // The share of the step that the linear function gives to its upper end; its series where 1 - rest cancels.
      const double upper = growth > 1e-4 ? 1.0 - (1.0 - rest) / growth : growth / 2.0 - growth * growth / 6.0;
      before_[x] = rest;
      here_[x] = 1.0 - rest - upper;
      next_[x] = upper;
    }
  }
  void average(const Curve& of_highest, Curve& to) const {
    to[0] = of_highest[0];
    for (std::size_t x = 1; x < to.size(); ++x)
      to[x] = before_[x] * to[x - 1] + here_[x] * of_highest[x - 1] + next_[x] * of_highest[x];
  }

 private:
  Curve before_, here_, next_;
};

/// P(sum of the ranks with a minus <= lost) of n normal differences with this mean and spread 1. among[w][x]: the
/// probability that the minus ranks of k differences sum to w, if all are of size at most x. The largest of them has
/// rank k: with a plus the sum stays, with a minus it grows by k.
double lost_ranks_at_most(std::int64_t lost, std::int64_t n, double mean) {
  constexpr std::size_t points = 401;
  const double step = (std::fabs(mean) + separate) / static_cast<double>(points - 1);
  Curve plus(points), log_law(points), of_highest(points), log_power(points);
  for (std::size_t i = 0; i < points; ++i) {
    const double x = step * static_cast<double>(i);
    plus[i] = 1.0 / (1.0 + std::exp(-2.0 * mean * x));  // share of the density at x - mean, the rest at x + mean
    log_law[i] = i == 0 ? -1e3 : std::log(normal_cdf(x - mean) - normal_cdf(-x - mean));
  }
  std::vector<Curve> among(static_cast<std::size_t>(lost) + 1, Curve(points, 0.0));
  std::ranges::fill(among[0], 1.0);
  for (std::int64_t k = 1; k <= n; ++k) {
    for (std::size_t i = 0; i < points; ++i) log_power[i] = static_cast<double>(k) * log_law[i];
    const HighestRun highest(log_power);
    // From large sums to small ones, so that a sum is read before it is overwritten.
    for (std::int64_t w = std::min(lost, k * (k + 1) / 2); w >= 0; --w) {
      Curve& here = among[static_cast<std::size_t>(w)];
      const Curve* const smaller = w >= k ? &among[static_cast<std::size_t>(w - k)] : nullptr;
      for (std::size_t i = 0; i < points; ++i)
        of_highest[i] = plus[i] * here[i] + (smaller ? (1.0 - plus[i]) * (*smaller)[i] : 0.0);
      highest.average(of_highest, here);
    }
  }
  double sum = 0.0;
  for (const Curve& each : among) sum += each.back();
  return std::clamp(sum, 0.0, 1.0);
}

/// P(pairs that the baseline wins <= lost) of n runs each, candidate normal around `mean`, baseline around 0, spread 1.
/// among[j][u][x]: the probability that the baseline wins u of the pairs of i runs of the candidate and j of its own,
/// if all score at most x. If the highest is one of the baseline, it wins i pairs.
double lost_pairs_at_most(std::int64_t lost, std::int64_t n, double mean) {
  constexpr std::size_t points = 401;
  const double start = std::min(0.0, mean) - separate;
  const double step = (std::fabs(mean) + 2.0 * separate) / static_cast<double>(points - 1);
  Curve log_a(points), log_b(points), rate_a(points), rate_b(points), of_highest(points), log_both(points);
  for (std::size_t x = 0; x < points; ++x) {
    const double score = start + step * static_cast<double>(x);
    log_a[x] = std::log(normal_cdf(score - mean));
    log_b[x] = std::log(normal_cdf(score));
    rate_a[x] = normal_density(score - mean) / normal_cdf(score - mean);
    rate_b[x] = normal_density(score) / normal_cdf(score);
  }
  const auto places = static_cast<std::size_t>(lost) + 1, count = static_cast<std::size_t>(n);
  std::vector<std::vector<Curve>> among(count + 1, std::vector<Curve>(places, Curve(points, 0.0)));
  std::ranges::fill(among[0][0], 1.0);
  Curve candidate_on_top(points);
  for (std::size_t i = 0; i <= count; ++i)
    for (std::size_t j = i == 0 ? 1 : 0; j <= count; ++j) {
      const double a = static_cast<double>(i), b = static_cast<double>(j);
      for (std::size_t x = 0; x < points; ++x) {
        log_both[x] = a * log_a[x] + b * log_b[x];
        candidate_on_top[x] = a * rate_a[x] / (a * rate_a[x] + b * rate_b[x]);
      }
      const HighestRun highest(log_both);
      // This cell still holds the curves for i - 1 and j; those for i and j - 1 are final.
      for (std::size_t u = 0; u < std::min(places, i * j + 1); ++u) {
        Curve& here = among[j][u];
        const Curve* const without = j > 0 && u >= i ? &among[j - 1][u - i] : nullptr;
        for (std::size_t x = 0; x < points; ++x)
          of_highest[x] = candidate_on_top[x] * here[x] + (without ? (1.0 - candidate_on_top[x]) * (*without)[x] : 0.0);
        highest.average(of_highest, here);
      }
    }
  double sum = 0.0;
  for (const Curve& each : among[count]) sum += each.back();
  return std::clamp(sum, 0.0, 1.0);
}

/// P(Z1 < h, Z2 < h) of two standard normals with correlation 1/2, as a mean over what they share.
double both_below(double h) {
  return integrate(
      [&](double shared) {
        const double one = normal_cdf(std::sqrt(2.0) * h - shared);
        return normal_density(shared) * one * one;
      },
      -separate, separate, 12);
}

/// P(statistic of the losses <= lost), normal with a correction for continuity.
double normal_at_most(std::int64_t lost, double mean, double variance) {
  if (variance <= 0.0) return mean <= static_cast<double>(lost) ? 1.0 : 0.0;
  return normal_cdf((static_cast<double>(lost) + 0.5 - mean) / std::sqrt(variance));
}

}  // namespace

double signed_rank_power(std::int64_t pairs, double effect, double level) {
  require_at_least("pairs", pairs, 1);
  require_rank_plan(effect, level);
  const std::int64_t lost = max_lost_ranks(pairs, level);
  if (lost < 0) return 0.0;
  if (effect > separate) return 1.0;
  if (pairs <= max_integrated_pairs && effect > -separate) return lost_ranks_at_most(lost, pairs, effect);
  const double n = static_cast<double>(pairs), root = std::sqrt(2.0);
  const double one = normal_cdf(-effect), two = normal_cdf(-root * effect), three = both_below(-root * effect);
  const double mean = n * one + n * (n - 1.0) / 2.0 * two;
  const double variance = n * one * (1.0 - one) +
                          n * (n - 1.0) / 2.0 * (2.0 * (one - two) * (one - two) + 3.0 * two * (1.0 - two)) +
                          n * (n - 1.0) * (n - 2.0) * (three - two * two);
  return normal_at_most(lost, mean, variance);
}

double rank_sum_power(std::int64_t runs, double effect, double level) {
  require_at_least("runs", runs, 1);
  require_rank_plan(effect, level);
  const std::int64_t lost = max_lost_pairs(runs, level);
  if (lost < 0) return 0.0;
  if (effect > 2.0 * separate) return 1.0;
  if (runs <= max_integrated_runs && effect > -separate) return lost_pairs_at_most(lost, runs, effect);
  const double n = static_cast<double>(runs), h = -effect / std::sqrt(2.0);
  const double one = normal_cdf(h), two = both_below(h);
  return normal_at_most(lost, n * n * one, n * n * (one * (1.0 - one) + 2.0 * (n - 1.0) * (two - one * one)));
}

}  // namespace retrial::variance::inline designs
