#pragma once

#include <cstdint>

namespace retrial::variance::inline two_variants {

/// Standard deviation that an accuracy `tau` (a fraction in [0, 1]) has from the choice of `items` test items alone,
/// errors independent: sqrt(tau (1 - tau) / items). No choice of seeds reduces it.
[[nodiscard]] double binomial_floor(double tau, std::int64_t items);

/// Standard deviation of the standard deviation s of k normal runs: s sqrt((k - 1)/2 - g^2) / g with
/// g = Gamma(k/2) / Gamma((k - 1)/2); k below 2 is treated as 2, as the published code does.
[[nodiscard]] double sd_of_sd(double s, std::int64_t k);

}  // namespace retrial::variance::inline two_variants
