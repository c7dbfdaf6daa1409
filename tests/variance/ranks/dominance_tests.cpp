#include "variance/ranks/dominance.hpp"

#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::dominance_tests {

using namespace retrial::variance;
using Scores = std::vector<double>;

namespace {
Scores normals(std::uint64_t key, std::size_t n, double shift) {
  Scores result;
  Stream stream(key);
  for (std::size_t i = 0; i < n; ++i) result.push_back(normal(stream.next()) + shift);
  return result;
}
}  // namespace

TEST_CASE("the violation ratio is a finite sum, exact in rational arithmetic") {
  const auto violation_ratio = [](const Scores& candidate, const Scores& baseline) {
    return aso(candidate, baseline, {}).ratio;
  };
  const Scores five{1, 2, 3, 4, 5}, other{2, 2, 3, 3, 6};  // .6555 on a grid of .005, 2/3 in truth
  CHECK_THAT(violation_ratio(five, other), WithinRel(2.0 / 3, 1e-14));
  CHECK_THAT(violation_ratio(other, five), WithinRel(1.0 / 3, 1e-14));
  CHECK_THAT(violation_ratio(Scores{1, 2, 6}, Scores{2, 3, 4, 5}), WithinRel(17.0 / 24, 1e-14));
  CHECK(violation_ratio(Scores{8}, Scores{5, 5, 8, 7, 8}) == 0.0);
  CHECK(violation_ratio(Scores{5, 5, 8, 7, 8}, Scores{8}) == 1.0);
  CHECK(violation_ratio(five, five) == .5);
}

TEST_CASE("dominance is claimed of a clear difference and not of equal variants") {
  const auto worse = normals(1, 30, 0), better = normals(2, 30, 2), same = normals(3, 30, 0);
  CHECK(aso(better, worse, {.key = 5}).dominates);
  CHECK_FALSE(aso(worse, better, {.key = 5}).dominates);
  CHECK_FALSE(aso(same, worse, {.key = 5}).dominates);
}

TEST_CASE("the bound rises with the confidence asked for, so that more comparisons are never judged less strictly") {
  const auto a = normals(4, 20, .8), b = normals(5, 20, 0);
  double before = 0.0;
  for (const double comparisons : {1.0, 3.0, 10.0, 100.0}) {
    const double bound = *aso(a, b, {.alpha = .05 / comparisons, .key = 5}).bound;
    CHECK(bound >= before);
    before = bound;
  }
  CHECK(*aso(a, b, {.key = 5}).bound < 1.0);  // a single comparison is not judged at level 1
}

TEST_CASE("one score is no ground for a claim") {
  const auto result = aso(Scores{1}, Scores{0, 0, 0, 0, 0}, {.key = 1});
  CHECK(result.note == "more runs needed");
  CHECK_FALSE(result.bound);
  CHECK_FALSE(result.dominates);
  CHECK(aso(Scores{1, 2}, Scores{2, 1}, {.key = 1}).note == "identical");
}

TEST_CASE("resamples have disjoint draws: the same key repeats, the next one differs") {
  const auto a = normals(4, 12, .4), b = normals(5, 12, 0);
  CHECK(*aso(a, b, {.key = 5}).sd == *aso(a, b, {.key = 5}).sd);
  CHECK(*aso(a, b, {.key = 6}).sd != *aso(a, b, {.key = 5}).sd);
  CHECK(*aso(a, b, {.paired = true, .key = 5}).sd != *aso(a, b, {.key = 5}).sd);
  CHECK(refused_field([&] { (void)aso(a, normals(5, 11, 0), {.paired = true}); }) == "baseline");
}

}  // namespace retrial::tests::dominance_tests
