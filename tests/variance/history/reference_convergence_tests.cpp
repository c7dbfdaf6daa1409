#include "variance/history/reference_convergence.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"

namespace retrial::tests::reference_convergence_tests {

using namespace retrial::variance;

// Expected values: the closed form, in another program; the tool of MLPerf bisects to the same means within 1e-4.

TEST_CASE("the lowest mean that the reference allows", "[history]") {
  const auto five = reference_limits(std::vector<double>{40, 41, 41, 42, 42, 43, 43, 44, 45, 47}, 5);
  CHECK(five.reference_mean == 42.625);
  CHECK_THAT(five.reference_sd, WithinAbs(1.9899748742132397, 1e-14));
  CHECK_THAT(five.lowest_mean, WithinAbs(40.155394770755954, 1e-9));
  CHECK_THAT(five.lowest_mean, WithinAbs(40.15537, 1e-4));
  CHECK_THAT(five.max_speedup, WithinAbs(1.0615012065836442, 1e-12));
  const auto ten = reference_limits(
      std::vector<double>{18, 18, 19, 19, 19, 20, 20, 20, 20, 21, 21, 21, 21, 22, 22, 22, 23, 23, 24, 26}, 10);
  CHECK_THAT(ten.reference_mean, WithinAbs(20.833333333333332, 1e-12));
  CHECK_THAT(ten.reference_sd, WithinAbs(1.9868316486305526, 1e-12));
  CHECK_THAT(ten.lowest_mean, WithinAbs(19.388936343320328, 1e-9));
}

TEST_CASE("a constant reference allows exactly its own mean", "[history]") {
  const std::vector<double> reference(10, 7.0);
  CHECK(reference_convergence(reference, std::vector<double>(5, 7.0)).passes);
  CHECK_FALSE(reference_convergence(reference, std::vector<double>(5, 6.99)).passes);
}

TEST_CASE("a submission that is faster and accepted pays with its time", "[history]") {
  const std::vector<double> reference{40, 41, 41, 42, 42, 43, 43, 44, 45, 47};
  const auto faster = reference_convergence(reference, std::vector<double>{1, 41, 41, 41, 99});
  CHECK(faster.passes);  // the fastest and the slowest are left out
  CHECK_THAT(faster.factor, WithinAbs(42.625 / 41.0, 1e-12));
  CHECK(reference_convergence(reference, std::vector<double>{50, 50, 50, 50, 50}).factor == 1.0);
  CHECK_FALSE(reference_convergence(reference, std::vector<double>{40, 40, 40, 40, 40}).passes);
}

TEST_CASE("the check refuses too few runs and impossible times", "[history]") {
  const std::vector<double> reference(10, 7.0);
  CHECK(refused_field([&] { (void)reference_limits(reference, 2); }) == "submission");
  CHECK(refused_field([&] { (void)reference_limits(reference, 6); }) == "reference");
  CHECK(refused_field([&] {
          (void)reference_convergence(reference, std::vector<double>{1, 0, 2});
        }) == "submission[1]");
}

}  // namespace retrial::tests::reference_convergence_tests
