#include "workloads/interface/score_scale.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

namespace retrial::tests::score_scale_tests {

using namespace retrial::workloads;

TEST_CASE("a score on a grid is judged as its nearest level, however close the levels are", "[scale]") {
  const ScoreScale grid{.levels = {0, 20, 40, 55, 66.25}};
  CHECK(judged_score(grid, 66.61) == 66.25);  // a method that removes whole filters
  CHECK(judged_score(grid, 66.25) == 66.25);
  CHECK(judged_score(grid, 55.3) == 55);
  CHECK(judged_score(grid, 60.625) == 55);  // in the middle: the lower one
  CHECK(judged_score(grid, 0) == 0);
  CHECK(judged_score(grid, 99) == 66.25);
  CHECK(std::isnan(judged_score(grid, std::numeric_limits<double>::quiet_NaN())));
  CHECK(judged_score({}, 66.61) == 66.61);
  CHECK(judged_score({.resolution = 1.0}, 66.61) == 66.61);
}

}  // namespace retrial::tests::score_scale_tests
