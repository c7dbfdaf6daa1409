#include "variance/components/nonnegative_minimum.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::nonnegative_minimum_tests {

using namespace retrial::variance;
using reml_parts::nonnegative_minimum;
using Values = std::vector<double>;

TEST_CASE("without a bound in the way the minimum solves the equations") {
  Matrix a(2, 2);
  a(0, 0) = 2, a(0, 1) = a(1, 0) = 1, a(1, 1) = 3;
  const auto x = nonnegative_minimum(a, {5, 10});  // 2x + y = 5, x + 3y = 10
  REQUIRE(x);
  CHECK_THAT((*x)[0], WithinAbs(1, 1e-14));
  CHECK_THAT((*x)[1], WithinAbs(3, 1e-14));
}

TEST_CASE("what would be below 0 is exactly 0, and the rest is solved without it") {
  Matrix a(2, 2);
  a(0, 0) = 2, a(0, 1) = a(1, 0) = 1, a(1, 1) = 3;
  const auto x = nonnegative_minimum(a, {-1, 6});
  REQUIRE(x);
  CHECK((*x)[0] == 0.0);
  CHECK_THAT((*x)[1], WithinAbs(2, 1e-14));
  a(1, 1) = -1;
  CHECK_FALSE(nonnegative_minimum(a, {1, 6}));
}

TEST_CASE("at the minimum nothing above 0 has a slope, and nothing at 0 falls") {
  Stream draws(3);
  for (int repeat = 0; repeat < 500; ++repeat) {
    const std::size_t size = 1 + repeat % 6;
    Matrix half(size, size), a(size, size);
    for (double& value : half.values) value = normal(draws.next());
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        for (std::size_t k = 0; k < size; ++k) a(i, j) += half(i, k) * half(j, k) + (i == j && k == 0 ? .1 : 0);
    Values b(size);
    for (double& value : b) value = normal(draws.next());
    const auto x = nonnegative_minimum(a, b);
    REQUIRE(x);
    for (std::size_t i = 0; i < size; ++i) {
      double slope = -b[i];
      for (std::size_t j = 0; j < size; ++j) slope += a(i, j) * (*x)[j];
      CHECK((*x)[i] >= 0.0);
      CHECK(((*x)[i] > 0.0 ? std::fabs(slope) < 1e-9 : slope > -1e-9));
    }
  }
}

}  // namespace retrial::tests::nonnegative_minimum_tests
