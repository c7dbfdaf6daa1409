#include "variance/designs/simulated_operating.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "variance/designs/design_family.hpp"
#include "variance/looks/group_sequential.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/sequential/anytime.hpp"

namespace retrial::variance::inline designs {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// |t| at which the design stops after n pairs, indexed by n from 0. The rule thresholds evidence, which is a bound on
/// t.
std::vector<double> anytime_bounds(const Design& design) {
  const SequentialSettings settings = settings_of(design);
  std::vector<double> bounds(static_cast<std::size_t>(design.pairs) + 1, never);
  for (std::int64_t n = 2; n <= design.pairs; ++n)
    bounds[static_cast<std::size_t>(n)] = t_boundary(n, settings.alpha, settings.g).value_or(never);
  return bounds;
}

/// Boundaries of the looks as z, and the share of the information at each look.
struct LookBoundaries {
  std::vector<double> shares, z;
};

LookBoundaries spending_looks(const Design& design) {
  const auto spending = design.spending == "pocock" ? Spending::pocock : Spending::obrien_fleming;
  LookBoundaries looks;
  for (const auto look : design.looks)
    looks.shares.push_back(static_cast<double>(look) / static_cast<double>(design.pairs));
  looks.z = spending_boundaries(spending, looks.shares, design.alpha);
  return looks;
}

/// Number of equally weighted pairs that the pairs up to look k are worth in the sum of the blocks' means.
double evenly_weighted(const Design& design, std::size_t k) {
  double squares = 0.0, fourths = 0.0;
  for (std::size_t j = 0; j <= k; ++j) {
    const double size = static_cast<double>(design.looks[j] - (j == 0 ? 0 : design.looks[j - 1]));
    squares += 1.0 / size;
    fourths += 1.0 / (size * size * size);
  }
  return squares * squares / fourths;
}

/// z of a sum over the root of the sum of squares that n normal differences exceed as rarely as a normal variable z:
/// that ratio is t / sqrt(1 + (t^2 - 1) / n) of Student's t with n - 1 degrees of freedom, and cannot exceed sqrt(n).
double bounded_z(double z, double n) {
  if (std::isinf(z)) return z;
  const double t = -student_quantile(normal_cdf(-z), n - 1.0);
  return t / std::sqrt(1.0 + (t * t - 1.0) / n);
}

/// The sum of the blocks' means has independent increments, each of the variance of a mean. Look k may spend k alpha /
/// K; it spends nothing if fewer than two of the 2^n signings of n pairs may be beyond the boundary, since signings
/// come in pairs.
LookBoundaries permutation_looks(const Design& design) {
  LookBoundaries looks;
  std::vector<double> cumulative;
  const double count = static_cast<double>(design.looks.size());
  double variance = 0.0;
  for (std::size_t k = 0; k < design.looks.size(); ++k) {
    variance += 1.0 / static_cast<double>(design.looks[k] - (k == 0 ? 0 : design.looks[k - 1]));
    looks.shares.push_back(variance);
    const double may_be_spent = design.alpha * static_cast<double>(k + 1) / count;
    const bool can = std::ldexp(may_be_spent, static_cast<int>(std::min<std::int64_t>(design.looks[k], 1'000))) >= 2.0;
    cumulative.push_back(can ? may_be_spent : 0.0);
  }
  for (double& share : looks.shares) share /= variance;
  looks.z = boundaries_spending(looks.shares, cumulative);
  for (std::size_t k = 0; k < looks.z.size(); ++k) looks.z[k] = bounded_z(looks.z[k], evenly_weighted(design, k));
  return looks;
}

std::vector<double> group_bounds(const Design& design) {
  const LookBoundaries looks = spending_looks(design);
  std::vector<double> bounds(static_cast<std::size_t>(design.pairs) + 1, never);
  for (std::size_t k = 0; k < looks.z.size(); ++k)
    if (std::isfinite(looks.z[k]))
      bounds[static_cast<std::size_t>(design.looks[k])] =
          -student_quantile(normal_cdf(-looks.z[k]), static_cast<double>(design.looks[k] - 1));
  return bounds;
}

struct Path {
  std::int64_t pairs = 0;
  int sign = 0;  ///< 0: undecided
};

/// Running mean and sum of squares (Welford 1962).
Path walk(const std::vector<double>& bounds, double effect, Stream draws) {
  double mean = 0.0, squares = 0.0;
  const auto horizon = static_cast<std::int64_t>(bounds.size()) - 1;
  for (std::int64_t n = 1; n <= horizon; ++n) {
    const double x = normal(draws.next()) + effect, count = static_cast<double>(n), before = x - mean;
    mean += before / count;
    squares += before * (x - mean);
    const double bound = bounds[static_cast<std::size_t>(n)];
    if (bound == never) continue;
    const double t = mean * std::sqrt(count * (count - 1.0) / squares);
    if (std::fabs(t) >= bound) return {n, t > 0.0 ? 1 : -1};
  }
  return {horizon, 0};
}

/// |T| over all signings of normal differences exceeds its boundary about as often as the t test of them rejects.
Path exchange(const Design& design, const LookBoundaries& looks, double effect, Stream draws) {
  double statistic = 0.0, variance = 0.0;
  std::int64_t n = 0;
  for (std::size_t k = 0; k < design.looks.size(); ++k) {
    const double size = static_cast<double>(design.looks[k] - n);
    double sum = 0.0, squares = 0.0;
    for (; n < design.looks[k]; ++n) {
      const double x = normal(draws.next()) + effect;
      sum += x;
      squares += x * x;
    }
    statistic += sum / size;
    variance += squares / (size * size);
    if (std::fabs(statistic) > looks.z[k] * std::sqrt(variance)) return {n, statistic > 0.0 ? 1 : -1};
  }
  return {design.pairs, 0};
}

/// Differences in units of the range's width, bets on them scaled to [0, 1].
Path bet(const Design& design, double effect, double spread, Stream draws) {
  BettingWealth bettor(0.5);
  const double enough = std::log(2.0) - std::log(design.alpha);
  for (std::int64_t n = 1; n <= design.pairs; ++n) {
    const double difference = std::clamp(spread * (normal(draws.next()) + effect), -1.0, 1.0);
    const Wealth wealth = bettor.add((difference + 1.0) / 2.0);
    if (wealth.log_up >= enough) return {n, 1};
    if (wealth.log_down >= enough) return {n, -1};
  }
  return {design.pairs, 0};
}

/// Averages `path_of(draws)` over all runs.
template <typename Walk>
SimulatedOperating averaged(std::uint64_t key, std::int64_t runs, Walk&& path_of) {
  std::int64_t better = 0, worse = 0, pairs = 0;
  for (std::int64_t s = 0; s < runs; ++s) {
    const Path path = path_of(Stream(key, static_cast<std::uint64_t>(s)));
    better += path.sign > 0 ? 1 : 0;
    worse += path.sign < 0 ? 1 : 0;
    pairs += path.pairs;
  }
  const double count = static_cast<double>(runs);
  SimulatedOperating out{.runs = runs};
  out.mean.better = static_cast<double>(better) / count;
  out.mean.against = static_cast<double>(worse) / count;
  out.mean.undecided = static_cast<double>(runs - better - worse) / count;
  out.mean.pairs = static_cast<double>(pairs) / count;
  out.standard_error = std::sqrt(out.mean.better * (1.0 - out.mean.better) / count);
  return out;
}

}  // namespace

std::optional<SimulatedOperating> simulated_operating(const Design& design, double p, std::uint64_t key,
                                                      std::int64_t runs, std::optional<double> spread) {
  require_between("p", p, 0.0, 1.0);
  require_at_least("runs", runs, 1);
  const double effect = quantile(p);
  if (design.family == "betting" && spread) {
    if (!(*spread > 0.0 && *spread <= 1.0))
      throw InvalidInput("spread", shortest(*spread), "greater than 0, at most 1");
    return averaged(key, runs, [&](Stream draws) { return bet(design, effect, *spread, draws); });
  }
  if (design.family == "group_permutation") {
    const LookBoundaries looks = permutation_looks(design);
    return averaged(key, runs, [&](Stream draws) { return exchange(design, looks, effect, draws); });
  }
  if (design.family != "t_anytime" && design.family != "group_sequential") return std::nullopt;
  const auto bounds = design.family == "t_anytime" ? anytime_bounds(design) : group_bounds(design);
  return averaged(key, runs, [&](Stream draws) { return walk(bounds, effect, draws); });
}

}  // namespace retrial::variance::inline designs
