#include "variance/two_variants/binomial_floor.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"

namespace retrial::tests::binomial_floor_tests {

using namespace retrial::variance;

TEST_CASE("the binomial floor has its reference values") {
  CHECK_THAT(binomial_floor(.66, 277), WithinRel(.0284624016, 1e-8));
  CHECK_THAT(binomial_floor(.95, 872), WithinRel(.0073805472, 1e-8));
  CHECK(binomial_floor(1.0, 10) == 0.0);
  CHECK(refused_field([] { (void)binomial_floor(66.0, 277); }) == "tau");
  CHECK(refused_field([] { (void)binomial_floor(.5, 0); }) == "items");
}

TEST_CASE("the deviation of a deviation has its closed form for two runs and its limit for many") {
  // k = 2: g = Gamma(1) / Gamma(1/2) = 1/sqrt(pi), so s sqrt(pi/2 - 1). Many: s / sqrt(2 (k - 1)).
  CHECK_THAT(sd_of_sd(3.0, 2), WithinRel(3 * std::sqrt(std::acos(-1.0) / 2 - 1), 1e-12));
  CHECK(sd_of_sd(3.0, 1) == sd_of_sd(3.0, 2));
  CHECK_THAT(sd_of_sd(1.0, 1000), WithinRel(1 / std::sqrt(1998.0), 1e-3));
  CHECK(refused_field([] { (void)sd_of_sd(-1.0, 5); }) == "s");
  CHECK(refused_field([] { (void)sd_of_sd(1.0, 0); }) == "k");
}

}  // namespace retrial::tests::binomial_floor_tests
