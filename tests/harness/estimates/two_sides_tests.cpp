// Both sides of a comparison in numbers; expected values by hand.
#include "harness/estimates/two_sides.hpp"

#include <cmath>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/scores/compare_scores.hpp"

namespace retrial::tests::two_sides_tests {

using namespace retrial;
using namespace retrial::harness;

TEST_CASE("a pair with a failed run takes no part in the difference, but its other run counts", "[text]") {
  const RunScores a{1.0, 2.0, 6.0, std::nullopt}, b{0.0, 0.0, std::nullopt, 5.0};
  const TwoSides pairs = two_sides("a", a, "b", b, true);
  CHECK(pairs.candidate.n == 3);
  CHECK(pairs.candidate.failed == 1);
  CHECK(*pairs.candidate.mean == 3.0);
  // sd of 1, 2, 6 around 3: sqrt((4 + 1 + 9) / 2).
  CHECK_THAT(*pairs.candidate.sd, WithinAbs(std::sqrt(7.0), 1e-12));
  CHECK(pairs.difference.n == 2);
  CHECK(*pairs.difference.mean == 1.5);
  CHECK_THAT(*pairs.difference.sd, WithinAbs(std::sqrt(0.5), 1e-12));
}

TEST_CASE("independent runs have the difference of their means, without a spread of its own", "[text]") {
  const TwoSides sides = two_sides("a", {1.0, 3.0}, "b", {0.0, 1.0, 2.0}, false);
  CHECK(*sides.difference.mean == 1.0);
  CHECK_FALSE(sides.difference.sd);
  CHECK(sides_document(sides).at("difference").at("n").is_null());
}

TEST_CASE("differences that are the same decimal do not vary", "[text]") {
  // .9 - .8 and .4 - .3 are two doubles.
  const TwoSides sides = two_sides("a", {0.9, 0.4}, "b", {0.8, 0.3}, true);
  CHECK(0.9 - 0.8 != 0.4 - 0.3);
  CHECK(*sides.difference.sd == 0.0);
  CHECK(*two_sides("a", {0.9, 0.41}, "b", {0.8, 0.3}, true).difference.sd > 0.0);
}

TEST_CASE("one run has a mean and no spread, no run has neither", "[text]") {
  const TwoSides sides = two_sides("a", {2.0}, "b", {std::nullopt}, true);
  CHECK(*sides.candidate.mean == 2.0);
  CHECK_FALSE(sides.candidate.sd);
  CHECK_FALSE(sides.baseline.mean);
  CHECK_FALSE(sides.difference.mean);
}

TEST_CASE("compare --scores prints both sides before any statistic", "[cli][scores]") {
  const fixture::Folder here;
  write_file("s.csv", "a,b\n1,2\n2,4\n3,6\n4,8\n");
  const auto page = compare({"--higher"});
  CHECK(page.exit == 0);
  CHECK_THAT(page.out, has_text("b - a, pairs"));
  CHECK(page.out.find("mean") < page.out.find("statistic"));
  const Json sides = json_of({"--higher"}).at("scores");
  CHECK(sides.at("candidate").at("mean") == 5.0);
  CHECK(sides.at("baseline").at("mean") == 2.5);
  CHECK(sides.at("difference").at("mean") == 2.5);
}

}  // namespace retrial::tests::two_sides_tests
