#pragma once

#include <cstdint>

namespace retrial::determinism::inline portable {

/// to[i] = the correctly rounded square root of from[i]; from and to are equal or apart.
void square_roots(const float* from, float* to, std::int64_t count);
void square_roots(const double* from, double* to, std::int64_t count);

/// Within 1 ULP for every double; log(0) = -inf, log(inf) = inf, NaN for NaN and below 0. Sums, products and one
/// quotient in one order: with f = x / 2^e - 1 in [sqrt(1/2) - 1, sqrt(2) - 1) and s = f / (2 + f), log(1 + f) = f -
/// (f^2 / 2 - s (f^2 / 2 + R)), R = sum over n = 3, 5, ... of 2 s^(n - 1) / n (the arrangement of Sun's fdlibm).
[[nodiscard]] double natural_log(double x);

}  // namespace retrial::determinism::inline portable
