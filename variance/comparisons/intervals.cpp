#include "variance/comparisons/intervals.hpp"

#include <algorithm>
#include <cmath>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/numbers/unit_root.hpp"
#include "variance/random/rng.hpp"

namespace retrial::variance::inline comparisons {
namespace {

void require_count(std::int64_t x, std::int64_t n, double alpha) {
  require_at_least("n", n, 1);
  require_within("x", x, 0, n);
  require_between("alpha", alpha, 0.0, 0.5);
}

Estimate share(std::int64_t x, std::int64_t n, double alpha, const char* method) {
  return {.point = static_cast<double>(x) / static_cast<double>(n), .level = 1.0 - alpha, .method = method};
}

/// Mid-p probability of at least x successes: increasing in p.
double mid_tail(std::int64_t x, std::int64_t n, double p) {
  return binomial_at_least(x + 1, n, p) + binomial_exactly(x, n, p) / 2.0;
}

}  // namespace

Estimate clopper_pearson(std::int64_t x, std::int64_t n, double alpha) {
  require_count(x, n, alpha);
  Estimate result = share(x, n, alpha, "clopper_pearson");
  const double wins = static_cast<double>(x), losses = static_cast<double>(n - x);
  result.low = x == 0 ? 0.0 : beta_quantile(alpha / 2.0, wins, losses + 1.0);
  result.high = x == n ? 1.0 : beta_quantile(1.0 - alpha / 2.0, wins + 1.0, losses);
  return result;
}

Estimate mid_p(std::int64_t x, std::int64_t n, double alpha) {
  require_count(x, n, alpha);
  Estimate result = share(x, n, alpha, "mid_p");
  const auto tail = [&](double p) { return mid_tail(x, n, p); };
  result.low = x == 0 ? 0.0 : unit_root(alpha / 2.0, tail);
  result.high = x == n ? 1.0 : unit_root(1.0 - alpha / 2.0, tail);
  return result;
}

Estimate wilson(std::int64_t x, std::int64_t n, double alpha) {
  require_count(x, n, alpha);
  Estimate result = share(x, n, alpha, "wilson");
  const double count = static_cast<double>(n), z = quantile(1.0 - alpha / 2.0), z2 = z * z;
  const double centre = (result.point + z2 / (2.0 * count)) / (1.0 + z2 / count);
  const double spread = result.point * (1.0 - result.point) / count + z2 / (4.0 * count * count);
  const double half = z * std::sqrt(spread) / (1.0 + z2 / count);
  result.low = x == 0 ? 0.0 : std::max(0.0, centre - half);
  result.high = x == n ? 1.0 : std::min(1.0, centre + half);
  return result;
}

Estimate percentile(std::int64_t x, std::int64_t n, double alpha) {
  require_count(x, n, alpha);
  Estimate result = share(x, n, alpha, "percentile");
  const auto quantile_of_law = [&](double q) {  // smallest count whose distribution function reaches q
    std::int64_t low = 0, high = n;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (binomial_at_most(middle, n, result.point) >= q)
        high = middle;
      else
        low = middle + 1;
    }
    return static_cast<double>(low) / static_cast<double>(n);
  };
  result.low = quantile_of_law(alpha / 2.0);
  result.high = quantile_of_law(1.0 - alpha / 2.0);
  return result;
}

double binomial_floor(double tau, std::int64_t items) {
  if (!(tau >= 0.0 && tau <= 1.0)) throw InvalidInput("tau", shortest(tau), "0 to 1");
  require_at_least("items", items, 1);
  return std::sqrt(tau * (1.0 - tau) / static_cast<double>(items));
}

}  // namespace retrial::variance::inline comparisons
