#include "determinism/portable/elementwise.hpp"

#include <cmath>
#include <limits>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace retrial::determinism::inline portable {
namespace {

constexpr double root_half = 0x1.6a09e667f3bcdp-1;
constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;  // their sum is log(2)

}  // namespace

#ifdef __x86_64__

// In place of std::sqrt, which must set errno and therefore takes one number at a time.
void square_roots(const float* from, float* to, std::int64_t count) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) _mm_storeu_ps(to + i, _mm_sqrt_ps(_mm_loadu_ps(from + i)));
  for (; i < count; ++i) _mm_store_ss(to + i, _mm_sqrt_ss(_mm_load_ss(from + i)));
}

void square_roots(const double* from, double* to, std::int64_t count) {
  std::int64_t i = 0;
  for (; i + 2 <= count; i += 2) _mm_storeu_pd(to + i, _mm_sqrt_pd(_mm_loadu_pd(from + i)));
  if (i < count) _mm_store_sd(to + i, _mm_sqrt_pd(_mm_load_sd(from + i)));
}

#else

void square_roots(const float* from, float* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = std::sqrt(from[i]);
}

void square_roots(const double* from, double* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = std::sqrt(from[i]);
}

#endif

double natural_log(double x) {
  using Limits = std::numeric_limits<double>;
  if (x == 0) return -Limits::infinity();
  if (!(x > 0)) return x < 0 ? Limits::quiet_NaN() : x;
  if (std::isinf(x)) return x;
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);  // [1/2, 1)
  if (fraction < root_half) {
    fraction *= 2;
    --exponent;
  }
  const double f = fraction - 1, s = f / (2 + f), z = s * s, half_square = .5 * f * f;
  double series = 0;
  for (int n = 23; n >= 3; n -= 2) series = z * (2.0 / n + series);
  return exponent * ln2_high - ((half_square - (s * (half_square + series) + exponent * ln2_low)) - f);
}

}  // namespace retrial::determinism::inline portable
