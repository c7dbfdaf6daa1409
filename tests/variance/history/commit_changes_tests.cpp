#include "variance/history/commit_changes.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"

namespace retrial::tests::commit_changes_tests {

using namespace retrial::variance;

// Expected values: exact fractions of the changes, quartiles at p (n - 1), computed by another program.

TEST_CASE("the threshold is the upper quartile plus three interquartile ranges", "[history]") {
  const std::vector a{100.0, 100.2, 99.9, 100.1, 100.3, 100.0, 100.4, 100.1, 99.8, 100.0, 100.2};
  const auto of_a = change_threshold(relative_changes(a));
  CHECK_THAT(of_a.q1, WithinAbs(0.0020005005, 5e-11));
  CHECK_THAT(of_a.q3, WithinAbs(0.0029932657, 5e-11));
  CHECK_THAT(of_a.raw, WithinAbs(0.0059715613, 5e-11));
  CHECK(of_a.threshold == of_a.raw);
  const std::vector b{50.0, 50.5, 49.9, 50.2, 50.1, 50.6, 50.0, 50.3};
  const auto of_b = change_threshold(relative_changes(b));
  CHECK_THAT(of_b.q1, WithinAbs(0.0060060120, 5e-11));
  CHECK_THAT(of_b.q3, WithinAbs(0.0109288538, 5e-11));
  CHECK_THAT(of_b.raw, WithinAbs(0.0256973789, 5e-11));
}

TEST_CASE("a short series has a least threshold of 0.2 percent, a long one none", "[history]") {
  CHECK(change_threshold(std::vector<double>(29, 1e-5)).threshold == 0.002);
  CHECK(change_threshold(std::vector<double>(30, 1e-5)).threshold == 1e-5);
}

TEST_CASE("a step from zero is infinite, and no step is zero", "[history]") {
  const auto changes = relative_changes(std::vector{0.0, 0.0, 2.0, -1.0});
  REQUIRE(changes.size() == 3);
  CHECK(changes[0] == 0.0);
  CHECK(std::isinf(changes[1]));
  CHECK(changes[2] == 1.5);
  CHECK(relative_changes(std::vector{1.0}).empty());
  CHECK(refused_field([] { (void)change_threshold({}); }) == "changes");
  CHECK(refused_field([] { (void)relative_changes(std::vector{1.0, std::nan("")}); }) == "values[1]");
}

}  // namespace retrial::tests::commit_changes_tests
