#include "variance/two_variants/binomial_floor.hpp"

#include <algorithm>
#include <cmath>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::variance::inline two_variants {

double binomial_floor(double tau, std::int64_t items) {
  if (!(tau >= 0.0 && tau <= 1.0)) throw InvalidInput("tau", shortest(tau), "0 to 1");
  require_at_least("items", items, 1);
  return std::sqrt(tau * (1.0 - tau) / static_cast<double>(items));
}

}  // namespace retrial::variance::inline two_variants
