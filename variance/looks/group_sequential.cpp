#include "variance/looks/group_sequential.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"

namespace retrial::variance::inline looks {
namespace {

constexpr int simpson_points = 601;  // odd: Simpson
constexpr double far_out = 10.0;     // z beyond which no mass is left
constexpr double exactness = 1e-6 / 4.0;

/// Sub-density of the score process (Brownian motion at time t) over the continuation region, on Simpson's points.
struct Density {
  double t = 0.0;
  std::vector<double> at, mass;  ///< places, and density times Simpson's weight
};

Density start() {
  return {.t = 0.0, .at = {0.0}, .mass = {1.0}};
}

double upper_tail(double z) {
  return normal_cdf(-z);
}

/// Probability that the paths of `from` are beyond +-c sqrt(t) at time t.
double crossing(const Density& from, double t, double c) {
  if (std::isinf(c)) return 0.0;
  const double step = std::sqrt(t - from.t), edge = c * std::sqrt(t);
  double sum = 0.0;
  for (std::size_t i = 0; i < from.at.size(); ++i)
    sum += from.mass[i] * (upper_tail((edge - from.at[i]) / step) + upper_tail((edge + from.at[i]) / step));
  return sum;
}

Density propagate(const Density& from, double t, double c) {
  const double step = std::sqrt(t - from.t), edge = std::min(c, far_out) * std::sqrt(t);
  const double width = 2.0 * edge / (simpson_points - 1);
  Density next{.t = t, .at = std::vector<double>(simpson_points), .mass = std::vector<double>(simpson_points)};
  for (int j = 0; j < simpson_points; ++j) {
    const auto place = static_cast<std::size_t>(j);
    next.at[place] = -edge + width * j;
    double density = 0.0;
    for (std::size_t i = 0; i < from.at.size(); ++i)
      density += from.mass[i] * normal_density((next.at[place] - from.at[i]) / step);
    const double weight = j == 0 || j == simpson_points - 1 ? 1.0 : j % 2 == 1 ? 4.0 : 2.0;
    next.mass[place] = density / step * weight * width / 3.0;
  }
  return next;
}

void require_shares(std::span<const double> shares) {
  require_at_least("looks", static_cast<std::int64_t>(shares.size()), 1);
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const double before = k == 0 ? 0.0 : shares[k - 1];
    if (!(shares[k] > before && shares[k] <= 1.0))
      throw InvalidInput("shares[" + std::to_string(k) + "]", shortest(shares[k]), "ascending numbers in (0, 1]");
  }
}

/// The point between low and high where the falling `f` reaches `target`.
template <typename Function>
double solve_constant(double low, double high, double target, Function&& f) {
  while (high - low > exactness) {
    const double middle = 0.5 * (low + high);
    (f(middle) > target ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

std::vector<double> crossing_probabilities(std::span<const double> shares, std::span<const double> boundaries) {
  require_shares(shares);
  if (boundaries.size() != shares.size())
    throw InvalidInput("boundaries", std::to_string(boundaries.size()), "as many as looks");
  std::vector<double> result;
  Density density = start();
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (!(boundaries[k] > 0.0))
      throw InvalidInput("boundaries[" + std::to_string(k) + "]", shortest(boundaries[k]), "greater than 0");
    result.push_back(crossing(density, shares[k], boundaries[k]));
    if (k + 1 < shares.size()) density = propagate(density, shares[k], boundaries[k]);
  }
  return result;
}

double spent(Spending spending, double t, double side) {
  if (!(t > 0.0 && t <= 1.0)) throw InvalidInput("t", shortest(t), "greater than 0, at most 1");
  require_between("alpha", side, 0.0, 0.5);
  if (spending == Spending::pocock) return side * std::log1p((std::exp(1.0) - 1.0) * t);
  return 2.0 * upper_tail(quantile(1.0 - side / 2.0) / std::sqrt(t));
}

std::vector<double> boundaries_spending(std::span<const double> shares, std::span<const double> cumulative) {
  require_shares(shares);
  if (cumulative.size() != shares.size())
    throw InvalidInput("cumulative", std::to_string(cumulative.size()), "as many as looks");
  std::vector<double> boundaries;
  Density density = start();
  double before = 0.0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const double target = cumulative[k] - before;
    const auto tail = [&](double c) { return crossing(density, shares[k], c); };
    // An early look of O'Brien-Fleming type may spend less than the smallest tail of a double: it then never stops.
    const bool reachable = target > tail(far_out);
    boundaries.push_back(reachable ? solve_constant(0.0, far_out, target, tail)
                                   : std::numeric_limits<double>::infinity());
    if (reachable) before = cumulative[k];
    if (k + 1 < shares.size()) density = propagate(density, shares[k], boundaries.back());
  }
  return boundaries;
}

std::vector<double> spending_boundaries(Spending spending, std::span<const double> shares, double alpha) {
  require_shares(shares);
  require_between("alpha", alpha, 0.0, 1.0);
  std::vector<double> cumulative;
  for (const double t : shares) cumulative.push_back(2.0 * spent(spending, t, alpha / 2.0));
  // 14 ms for five looks, which one design asks for again with every pair and in every simulation.
  thread_local struct { std::vector<double> shares, cumulative, boundaries; } last;
  if (last.cumulative != cumulative || !std::ranges::equal(last.shares, shares))
    last = {{shares.begin(), shares.end()}, cumulative, boundaries_spending(shares, cumulative)};
  return last.boundaries;
}

}  // namespace retrial::variance::inline looks
