// References: own quadrature in scipy 1.17.1 (quad over scipy.stats.chi, for Welch's test also over scipy.stats.beta),
// which gives the .815845 that R's PowerTOST prints for CV .3, theta0 .95, n = 40 of its manual.
#include "variance/designs/equivalence_power.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"

namespace retrial::tests::equivalence_power_tests {

using namespace retrial::variance;

TEST_CASE("power of two one-sided tests is the bivariate noncentral t") {
  CHECK_THAT(equivalence_power(10, 1.0), WithinAbs(.7952072667, 1e-9));
  CHECK_THAT(equivalence_power(20, .5, {.difference = .1}), WithinAbs(.3613231130, 1e-9));
  CHECK_THAT(equivalence_power(2, 5.0), WithinAbs(.6773788208, 1e-9));
  CHECK_THAT(equivalence_power(45, .5), WithinAbs(.9024800905, 1e-9));
  CHECK_THAT(equivalence_power(5, 1.0, {.difference = -.5}), WithinAbs(.1850505732, 1e-9));
  CHECK(equivalence_power(40, .1) < 1e-11);  // the interval is wider than the margins
}

TEST_CASE("Welch's test of equivalence averages over its degrees of freedom") {
  const auto power = [](std::int64_t n, double margin, double difference) {
    return equivalence_power(n, margin, {.pairing = Pairing::unpaired, .difference = difference});
  };
  CHECK_THAT(power(10, 1.5, 0.0), WithinAbs(.8834664422, 1e-7));
  CHECK_THAT(power(20, 1.0, .2), WithinAbs(.7800058259, 1e-7));
  CHECK_THAT(power(3, 3.0, 0.0), WithinAbs(.7493941359, 1e-7));
}

TEST_CASE("on the margin the power is at most alpha") {
  for (const auto pairing : {Pairing::paired, Pairing::unpaired})
    for (const std::int64_t n : {2, 5, 30}) {
      const double size = equivalence_power(n, .8, {.pairing = pairing, .difference = .8});
      CHECK(size <= .05 + 1e-9);
    }
  CHECK_THAT(equivalence_power(1'000, .8, {.difference = .8}), WithinAbs(.05, 1e-9));
}

TEST_CASE("a plan of equivalence names what it cannot use") {
  CHECK(refused_field([] { (void)equivalence_power(1, 1.0); }) == "runs");
  CHECK(refused_field([] { (void)equivalence_power(5, 0.0); }) == "margin");
  CHECK(refused_field([] { (void)equivalence_power(5, 1.0, {.alpha = .5}); }) == "alpha");
  CHECK(refused_field([] { (void)equivalence_power(5, 1.0, {.difference = 1.0 / 0.0}); }) == "difference");
}

}  // namespace retrial::tests::equivalence_power_tests
