// Expected values: 60 digits of Python's decimal (exp) and of its Taylor series (sine, cosine), rounded once.
#include "variance/random/portable.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::tests::portable_tests {

using namespace retrial;
using variance::portable_exp;

TEST_CASE("the portable exponential is within two units of the last place") {
  const std::vector<std::pair<double, double>> known{
      {1, 0x1.5bf0a8b145769p+1},          {-.5, 0x1.368b2fc6f960ap-1},     {-12.5, 0x1.f42ed3f68e690p-19},
      {-500, 0x1.9265e78d4438dp-722},     {-50, 0x1.d257d547e083fp-73},    {.3465, 0x1.6a03146cf6eadp+0},
      {-700.25, 0x1.af5fe9a485c8ep-1011}, {345.6, 0x1.82ca33b1c0ee6p+498}, {-8, 0x1.5fc21041027adp-12}};
  for (const auto& [x, expected] : known) {
    INFO(x);
    CHECK(std::fabs(portable_exp(x) - expected) <= 0x1p-51 * expected);
  }
  CHECK(portable_exp(0) == 1);
  CHECK(portable_exp(-709) == 0);
  CHECK(portable_exp(-std::numeric_limits<double>::infinity()) == 0);
  CHECK_THROWS_AS(portable_exp(710), InvalidInput);
  CHECK_THROWS_AS(portable_exp(std::numeric_limits<double>::quiet_NaN()), InvalidInput);
}

TEST_CASE("portable powers agree with products") {
  CHECK(variance::portable_pow(.75, 13) == Approx(0.023757264018058777).epsilon(1e-14));
  CHECK(variance::portable_pow(2, .5) == Approx(1.4142135623730951).epsilon(1e-15));
}

TEST_CASE("the portable sine and cosine are within two units of the last place, and exact at quarter turns") {
  struct Known {
    double degrees, sine, cosine;
  };
  for (const Known& k : std::vector<Known>{{45, 0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcdp-1},
                                           {-45, -0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcdp-1},
                                           {-135, -0x1.6a09e667f3bcdp-1, -0x1.6a09e667f3bcdp-1},
                                           {30, 0x1.0p-1, 0x1.bb67ae8584caap-1},
                                           {12.5, 0x1.bb44b13b62571p-3, 0x1.f3dd11fb974b6p-1},
                                           {-44.875, -0x1.693f7aa4e4426p-1, 0x1.6ad3e13cec1a0p-1},
                                           {100.25, 0x1.f7d42eaca5cedp-1, -0x1.6c6daa62c1695p-3}}) {
    INFO(k.degrees);
    const auto got = variance::sine_cosine(k.degrees);
    CHECK(std::fabs(got.sine - k.sine) <= 0x1p-51 * std::fabs(k.sine));
    CHECK(std::fabs(got.cosine - k.cosine) <= 0x1p-51 * std::fabs(k.cosine));
  }
  for (const int quarter : {-4, -3, -2, -1, 0, 1, 2, 3, 4}) {
    const auto got = variance::sine_cosine(90.0 * quarter);
    CHECK(got.sine == std::round(std::sin(quarter * 1.5707963267948966)));
    CHECK(got.cosine == std::round(std::cos(quarter * 1.5707963267948966)));
  }
  CHECK_THROWS_AS(variance::sine_cosine(361), InvalidInput);
}

}  // namespace retrial::tests::portable_tests
