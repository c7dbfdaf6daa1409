#pragma once

#include <cstdint>

namespace retrial::variance::inline two_variants {

/// Standard deviation that an accuracy `tau` (a fraction in [0, 1]) has from the choice of `items` test items alone,
/// errors independent: sqrt(tau (1 - tau) / items). No choice of seeds reduces it.
[[nodiscard]] double binomial_floor(double tau, std::int64_t items);

}  // namespace retrial::variance::inline two_variants
