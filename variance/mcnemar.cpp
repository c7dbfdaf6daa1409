#include <algorithm>
#include <cmath>

#include "variance/check.hpp"
#include "variance/classical.hpp"
#include "variance/distributions.hpp"

namespace retrial::variance {

McNemar mcnemar(std::int64_t wins, std::int64_t losses) {
  require_at_least("wins", wins, 0);
  require_at_least("losses", losses, 0);
  const std::int64_t n = wins + losses;
  McNemar result;
  if (n == 0) return result;
  const double distance = std::max(0.0, std::fabs(static_cast<double>(wins - losses)) - 1.0);
  result.chi_squared = distance * distance / static_cast<double>(n);
  result.p_chi_squared = chi_squared_above(result.chi_squared, 1.0);
  result.p_exact = binomial_two_sided(std::min(wins, losses), n, 0.5);
  result.p_greater = binomial_at_least(wins, n, 0.5);
  result.p_less = binomial_at_most(wins, n, 0.5);
  const double half = binomial_exactly(wins, n, 0.5) / 2.0;
  result.mid_greater = result.p_greater - half;
  result.mid_less = result.p_less - half;
  result.p_mid = std::min(1.0, 2.0 * std::min(result.mid_less, result.mid_greater));
  return result;
}

}  // namespace retrial::variance
