#include "variance/random/portable.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "variance/numbers/error.hpp"
#include "variance/numbers/number_text.hpp"
#include "variance/random/rng.hpp"

namespace retrial::variance::inline random {
namespace {

/// 1 + sign x^2 / ((first + 1)(first + 2)) + x^4 / ((first + 1) .. (first + 4)) + ..., nested from the smallest term.
double series(double square, int first, int last, double sign) {
  double sum = 1.0;
  for (int k = last; k > first; k -= 2) sum = 1.0 + sign * square * sum / (static_cast<double>(k) * (k - 1));
  return sum;
}

double taylor_exp(double r) {
  double sum = 1.0;
  for (int k = 13; k > 0; --k) sum = 1.0 + r * sum / k;
  return sum;
}

}  // namespace

double portable_exp(double x) {
  constexpr double per_log2 = 0x1.71547652b82fep+0, log2_high = 0x1.62e42fee00000p-1, log2_low = 0x1.a39ef35793c76p-33;
  if (!(x <= 709.0)) throw InvalidInput("x", shortest(x), "at most 709");
  if (x < -708.0) return 0.0;
  const double k = std::floor(x * per_log2 + 0.5);
  const double r = (x - k * log2_high) - k * log2_low;  // k * log2_high is exact: it ends in 21 zero bits
  const auto exponent = static_cast<std::uint64_t>(static_cast<std::int64_t>(k) + 1023);
  return taylor_exp(r) * std::bit_cast<double>(exponent << 52);
}

double portable_pow(double base, double exponent) {
  return portable_exp(exponent * log(base));
}

SineCosine sine_cosine(double degrees) {
  if (!(std::fabs(degrees) <= 360.0)) throw InvalidInput("degrees", shortest(degrees), "-360 to 360");
  constexpr double per_degree = 0x1.1df46a2529d39p-6;  // pi / 180
  const double quarters = std::floor(degrees / 90.0 + 0.5);
  const double x = (degrees - quarters * 90.0) * per_degree;
  const double sine = x * series(x * x, 1, 17, -1.0), cosine = series(x * x, 0, 16, -1.0);
  switch ((static_cast<int>(quarters) + 8) % 4) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, 0.0 - sine};
    case 2:
      return {0.0 - sine, 0.0 - cosine};
    default:
      return {0.0 - cosine, sine};
  }
}

}  // namespace retrial::variance::inline random
