// The oracle of roots is std::sqrt, which IEEE 754 defines to the bit; that of logarithms is a series in 113 bits.
#include "determinism/portable/elementwise.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::elementwise_tests {

using namespace retrial::determinism;

namespace {

__extension__ using Quad = __float128;

/// log((1 + s) / (1 - s)) = 2 artanh(s), |s| <= 1/3.
Quad twice_artanh(Quad s) {
  Quad sum = 0, power = s;
  for (int n = 1; n < 80; n += 2, power *= s * s) sum += power / n;
  return 2 * sum;
}

Quad reference_log(double x) {
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);  // [1/2, 1)
  if (fraction < .70710678) {
    fraction *= 2;
    --exponent;
  }
  const Quad f = fraction;
  return exponent * twice_artanh(static_cast<Quad>(1) / 3) + twice_artanh((f - 1) / (f + 1));
}

/// The distance of `found` from the reference in units of the last place of the reference.
double ulps(double found, Quad reference) {
  const double near = static_cast<double>(reference), magnitude = std::fabs(near);
  const double place = std::nextafter(magnitude, std::numeric_limits<double>::infinity()) - magnitude;
  return std::fabs(static_cast<double>((found - reference) / place));
}

}  // namespace

TEST_CASE("float roots have the bits of std::sqrt over all signs, exponents, denormals, infinities and NaN") {
  constexpr std::uint32_t step = 1021;  // a prime: every exponent, changing fractions
  std::vector<float> from, to;
  for (std::uint64_t pattern = 0; pattern < std::uint64_t{1} << 32; pattern += step)
    from.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(pattern)));
  for (const std::uint32_t pattern : {0x80000000u, 1u, 0x7fffffu, 0x800000u, 0x7f7fffffu, 0x7f800000u, 0xff800000u,
                                      0x7fc00000u, 0xffc00001u, 0xbf800000u})
    from.push_back(std::bit_cast<float>(pattern));
  to.resize(from.size());
  square_roots(from.data(), to.data(), static_cast<std::int64_t>(from.size()));
  int wrong = 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    wrong += std::bit_cast<std::uint32_t>(to[i]) != std::bit_cast<std::uint32_t>(std::sqrt(from[i]));
  CHECK(wrong == 0);
}

TEST_CASE("double roots have the bits of std::sqrt, for every tail and in place") {
  for (std::int64_t count = 1; count <= 17; ++count)
    for (std::uint64_t draw = 0; draw < 500; ++draw) {
      std::vector<double> numbers(static_cast<std::size_t>(count)), expected;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = std::bit_cast<double>(variance::block(3, draw, static_cast<std::uint32_t>(i))[0]);
        expected.push_back(std::sqrt(numbers[i]));
      }
      square_roots(numbers.data(), numbers.data(), count);
      int wrong = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        wrong += std::bit_cast<std::uint64_t>(numbers[i]) != std::bit_cast<std::uint64_t>(expected[i]);
      REQUIRE(wrong == 0);
    }
}

TEST_CASE("a logarithm is within one ULP of the logarithm in 113 bits") {
  double worst = 0;
  const auto look = [&](double x) { worst = std::max(worst, ulps(natural_log(x), reference_log(x))); };
  variance::Stream stream(5, 0);
  for (int i = 0; i < 20'000; ++i) {
    look(std::ldexp(1 + variance::uniform(stream.next()),
                    static_cast<int>(variance::bounded(stream.next(), 2046)) - 1022));
    look(variance::uniform(stream.next(), .5, 2));
    look(1 +
         std::ldexp(variance::uniform(stream.next(), -1, 1), -static_cast<int>(variance::bounded(stream.next(), 40))));
    look(std::bit_cast<double>(1 + (stream.next() >> 12 >> variance::bounded(stream.next(), 50))));  // denormals
  }
  CHECK(worst <= 1);
  CHECK(worst > .4);  // the reference sees rounding
}

TEST_CASE("logarithms of zero, negative numbers, infinity and NaN are those of IEEE 754") {
  using Limits = std::numeric_limits<double>;
  CHECK(natural_log(0.0) == -Limits::infinity());
  CHECK(natural_log(-0.0) == -Limits::infinity());
  CHECK(natural_log(Limits::infinity()) == Limits::infinity());
  CHECK(std::isnan(natural_log(-1)));
  CHECK(std::isnan(natural_log(-Limits::infinity())));
  CHECK(std::isnan(natural_log(Limits::quiet_NaN())));
  CHECK(std::bit_cast<std::uint64_t>(natural_log(1)) == 0);
}

}  // namespace retrial::tests::elementwise_tests
