// A probability below 1 is never printed as certain. Expected texts: the decimal expansions, cut by hand.
#include "variance/numbers/number_text.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace retrial::tests::number_text_tests {

using namespace retrial::variance;

TEST_CASE("a share rounds to its digits, and only a certain one is 100 %") {
  CHECK(percent(0.875) == "87.5 %");
  CHECK(percent(0.9949) == "99.5 %");
  CHECK(percent(0.9994) == "99.9 %");
  CHECK(percent(0.9996) == "> 99.9 %");
  CHECK(percent(0.99996, 4) == "> 99.99 %");
  CHECK(percent(0.99994, 4) == "99.99 %");
  CHECK(percent(std::nextafter(1.0, 0.0)) == "100 %");  // a sum of probabilities that misses 1 by rounding
  CHECK(percent(1.0) == "100 %");
  CHECK(percent(0.996, 2) == "> 99 %");
  CHECK(percent(0.994, 2) == "99 %");
  CHECK(percent(1.0, 2) == "100 %");
  CHECK(percent(0.0) == "0 %");
  CHECK(percent(1e-9) == "1e-07 %");
}

}  // namespace retrial::tests::number_text_tests
