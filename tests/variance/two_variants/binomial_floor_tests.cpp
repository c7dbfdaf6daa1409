#include "variance/two_variants/binomial_floor.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"

using namespace retrial::variance;

TEST_CASE("the binomial floor has its reference values") {
  CHECK_THAT(binomial_floor(.66, 277), WithinRel(.0284624016, 1e-8));
  CHECK_THAT(binomial_floor(.95, 872), WithinRel(.0073805472, 1e-8));
  CHECK(binomial_floor(1.0, 10) == 0.0);
  CHECK(refused_field([] { (void)binomial_floor(66.0, 277); }) == "tau");
  CHECK(refused_field([] { (void)binomial_floor(.5, 0); }) == "items");
}
