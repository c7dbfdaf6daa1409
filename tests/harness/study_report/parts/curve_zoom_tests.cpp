// The part of a training that a figure of curves shows. Expected ranges: read off the lists.
#include "harness/study_report/parts/curve_zoom.hpp"

#include <vector>

#include "tests/catch.hpp"

namespace retrial::tests::curve_zoom_tests {

using namespace retrial::harness;

namespace {

/// Bands of one unit up and down around these medians, at steps 0, 10, 20, ...
std::vector<CurveStep> around(const std::vector<double>& medians) {
  std::vector<CurveStep> out;
  for (std::size_t i = 0; i < medians.size(); ++i)
    out.push_back({.step = static_cast<std::int64_t>(10 * i),
                   .runs = 5,
                   .median = medians[i],
                   .low = medians[i] - 1,
                   .high = medians[i] + 1});
  return out;
}

}  // namespace

TEST_CASE("a curve that rises early is shown by its second half") {
  const auto zoom = curve_zoom(around({10, 60, 90, 91, 92}));
  REQUIRE(zoom);
  CHECK(zoom->from == 20);
  CHECK(zoom->low == 89);
  CHECK(zoom->high == 93);
  CHECK(zoom->least == 9);
  CHECK(zoom->most == 93);
}

TEST_CASE("a loss that falls early too, with every value of the second half in sight") {
  const auto zoom = curve_zoom(around({500, 50, 3, 4, 2, 1}));
  REQUIRE(zoom);
  CHECK(zoom->from == 30);
  CHECK(zoom->low == 0);
  CHECK(zoom->high == 5);
}

TEST_CASE("a curve that rises to the end is shown whole") {
  CHECK_FALSE(curve_zoom(around({0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 20, 100})));
}

TEST_CASE("three steps and none are shown whole") {
  CHECK_FALSE(curve_zoom(around({0, 90, 91})));
  CHECK_FALSE(curve_zoom({}));
}

TEST_CASE("steps of both variants count, in any order") {
  auto steps = around({10, 60, 90, 91, 92});
  const auto other = around({10, 60, 30, 91, 92});
  steps.insert(steps.begin(), other.begin(), other.end());
  CHECK_FALSE(curve_zoom(steps));  // 29 to 93 of 9 to 93
}

}  // namespace retrial::tests::curve_zoom_tests
