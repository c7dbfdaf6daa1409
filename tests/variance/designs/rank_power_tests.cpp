// References: closed forms, and 200,000 to 400,000 simulated studies each (NumPy 2.4.6, own ranks and own critical
// values; standard error below .0009), as named beside the values.
#include "variance/designs/rank_power.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/numbers/distributions.hpp"

namespace retrial::tests::rank_power_tests {

using namespace retrial::variance;

TEST_CASE("power where one order of the runs alone is enough has a closed form") {
  // Five pairs at .05 must all be won (1 / 32; two signings would be 1 / 16): Phi(d)^5.
  CHECK_THAT(signed_rank_power(5, .9, .05), WithinAbs(std::pow(normal_cdf(.9), 5), 4e-4));
  CHECK_THAT(signed_rank_power(5, 3.0, .05), WithinAbs(std::pow(normal_cdf(3.0), 5), 4e-4));
  // Three against three must be separate (1 / 20): scipy 1.17.1, quad of 3 Phi(y)^2 phi(y) (1 - Phi(y - 2))^3.
  CHECK_THAT(rank_sum_power(3, 2.0, .05), WithinAbs(.6235704060, 4e-4));
  CHECK(signed_rank_power(4, 5.0, .05) == 0.0);
  CHECK(rank_sum_power(2, 5.0, .05) == 0.0);
}

TEST_CASE("without an effect the power is the exact size") {
  CHECK_THAT(signed_rank_power(20, 0.0, .05), WithinAbs(.048653602600097656, 1e-12));  // 51,017 signings of 2^20
  CHECK_THAT(rank_sum_power(10, 0.0, .05), WithinAbs(.04460477602892463, 1e-12));
  CHECK_THAT(rank_sum_power(4, 0.0, .05), WithinAbs(2.0 / 70.0, 1e-12));
  CHECK_THAT(signed_rank_power(60, 0.0, .05), WithinAbs(.05, 1e-3));
}

TEST_CASE("power of the rank tests is that of simulated studies") {
  CHECK_THAT(signed_rank_power(8, .8, .05), WithinAbs(.58360, .0024));
  CHECK_THAT(signed_rank_power(20, .6, .05), WithinAbs(.80697, .0019));
  CHECK_THAT(signed_rank_power(40, .5, .05), WithinAbs(.91606, .0014));
  CHECK_THAT(signed_rank_power(60, .4, .05), WithinAbs(.90973, .0020));
  CHECK_THAT(rank_sum_power(5, 1.5, .05), WithinAbs(.66331, .0023));
  CHECK_THAT(rank_sum_power(12, 1.0, .05), WithinAbs(.72474, .0022));
}

TEST_CASE("above the integrated numbers of runs the normal law is within .005") {
  CHECK_THAT(signed_rank_power(61, .4, .05), WithinAbs(.91464, .005));
  CHECK_THAT(signed_rank_power(100, .3, .05), WithinAbs(.89712, .005));
  CHECK_THAT(rank_sum_power(25, .8, .05), WithinAbs(.85711, .005));
  CHECK_THAT(rank_sum_power(26, .8, .05), WithinAbs(.86821, .005));
  CHECK_THAT(rank_sum_power(40, .6, .05), WithinAbs(.82675, .005));
}

TEST_CASE("a plan of a rank test names what it cannot use") {
  CHECK(refused_field([] { (void)signed_rank_power(0, 1.0, .05); }) == "pairs");
  CHECK(refused_field([] { (void)rank_sum_power(0, 1.0, .05); }) == "runs");
  CHECK(refused_field([] { (void)rank_sum_power(5, 1.0, .5); }) == "level");
  CHECK(refused_field([] { (void)signed_rank_power(5, 0.0 / 0.0, .05); }) == "effect");
}

}  // namespace retrial::tests::rank_power_tests
