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

double sd_of_sd(double s, std::int64_t k) {
  require_not_negative("s", s);
  require_at_least("k", k, 1);
  const double runs = static_cast<double>(std::max<std::int64_t>(k, 2));
  const double g = std::exp(log_gamma(runs / 2.0) - log_gamma((runs - 1.0) / 2.0));
  // (k - 1)/2 - g^2 tends to 1/4: for many runs rounding could leave it below 0.
  return s * std::sqrt(std::max(0.0, (runs - 1.0) / 2.0 - g * g)) / g;
}

}  // namespace retrial::variance::inline two_variants
