#pragma once

/// Functions with the same bits for every mathematics library, compiler and processor: only + - x and /, in a fixed
/// order. The logarithm and the normal quantile of the generator are in rng.hpp.
namespace retrial::variance::inline random {

/// e^x. Below -708, where the result would be subnormal, 0; above 709, or not a number: InvalidInput. Cody and Waite
/// reduction to |r| <= ln(2) / 2, Taylor series to r^13. Relative error at most 3e-16 where measured (-700 to 700).
[[nodiscard]] double portable_exp(double x);

/// base^exponent for base > 0 and a product exponent * log(base) that portable_exp accepts.
[[nodiscard]] double portable_pow(double base, double exponent);

struct SineCosine {
  double sine = 0.0, cosine = 1.0;
};
/// Sine and cosine of an angle in degrees, |degrees| <= 360 (InvalidInput otherwise); exact at multiples of 90. Reduced
/// to 45 degrees, without rounding where the angle allows it, then Taylor series to the 17th power.
[[nodiscard]] SineCosine sine_cosine(double degrees);

}  // namespace retrial::variance::inline random
