#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/random/rng.hpp"
#include "variance/ranks/ranks.hpp"

namespace retrial::tests::shift_tests {

using namespace retrial::variance;
using Scores = std::vector<double>;

namespace {
const Scores first{81.2, 83.1, 80.4, 86.0, 84.7, 82.2, 79.9, 85.3, 83.8, 82.6},
    second{80.3, 82.9, 79.1, 81.7, 83.2, 80.8};

Scores normals_of(std::uint64_t key, std::size_t n, double step) {
  Stream stream(derive(key, "shift"), 0);
  Scores out;
  for (std::size_t i = 0; i < n; ++i) {
    const double z = normal(stream.next());
    out.push_back(step > 0.0 ? std::round(z / step) * step : z);
  }
  return out;
}

/// Every difference, sorted.
Scores all_differences(const Scores& a, const Scores& b) {
  Scores out;
  for (const double x : a)
    for (const double y : b) out.push_back(x - y);
  std::ranges::sort(out);
  return out;
}
}  // namespace

TEST_CASE("the shift of two samples is the median of all differences, its interval that of the rank sum") {
  // NumPy 2.4.6, and the law of U by all 8,008 labellings of 16 runs: 11 differences are cut off at either end.
  const auto shift = hodges_lehmann_shift(first, second);
  CHECK_THAT(shift.point, WithinAbs(1.65, 1e-12));
  CHECK_THAT(*shift.low, WithinAbs(-.6, 1e-12));
  CHECK_THAT(*shift.high, WithinAbs(3.9, 1e-12));
  CHECK(shift.method == "Hodges-Lehmann, Moses");
}

TEST_CASE("differences are found by bins or by counting, to the bit of a sorted list") {
  const auto check = [](const Scores& a, const Scores& b) {
    const Scores all = all_differences(a, b);
    const auto shift = hodges_lehmann_shift(a, b, .2);
    const std::size_t middle = all.size() / 2;
    CHECK(shift.point == (all.size() % 2 == 1 ? all[middle] : all[middle - 1] / 2 + all[middle] / 2));
    if (!shift.low) return;
    // As many differences are cut off below as above.
    const auto [low, after_low] = std::equal_range(all.begin(), all.end(), *shift.low);
    const auto [high, after_high] = std::equal_range(all.begin(), all.end(), *shift.high);
    REQUIRE(low != after_low);
    REQUIRE(high != after_high);
    CHECK(low - all.begin() <= all.end() - high - 1);
    CHECK(all.end() - after_high <= after_low - all.begin() - 1);
  };
  for (const double step : {0.0, .5})
    for (const std::size_t n : {1, 4, 9, 30, 256, 300})  // 256 x 256 is the last that is binned
      for (const std::size_t m : {std::size_t{7}, n}) check(normals_of(n, n, step), normals_of(n + 50, m, step));
  const Scores spread = normals_of(3, 20, 0);
  for (const double unit : {1e308, 5e-324, 0.0}) {
    Scores far = spread;
    for (double& x : far) x = std::clamp(x, -1.0, 1.0) * unit;
    check(far, spread);
    check(far, far);
    check({far.data(), far.data() + 5}, {far.data() + 5, far.data() + 20});
  }
}

TEST_CASE("the interval of the shift holds the shifts that Mann-Whitney keeps") {
  // Just inside the bounds the exact two-sided p is above .05, just outside it is not.
  for (std::uint64_t s = 0; s < 20; ++s) {
    const Scores a = normals_of(300 + s, 8, 0), b = normals_of(400 + s, 11, 0);
    const auto shift = hodges_lehmann_shift(a, b);
    const auto p_at = [&](double by) {
      Scores moved = a;
      for (double& x : moved) x -= by;
      return mann_whitney(moved, b).test.p_two;
    };
    CHECK(p_at(*shift.low - 1e-6) <= .05);
    CHECK(p_at(*shift.low + 1e-6) > .05);
    CHECK(p_at(*shift.high + 1e-6) <= .05);
    CHECK(p_at(*shift.high - 1e-6) > .05);
  }
}

TEST_CASE("above the exact law the places of the interval go on without a jump") {
  // 33 against 33 is exact, 34 against 34 normal: the interval of one more run of each is a little shorter.
  double exact = 0, approximate = 0;
  for (std::uint64_t s = 0; s < 30; ++s) {
    const Scores a = normals_of(600 + s, 34, 0), b = normals_of(700 + s, 34, 0);
    const auto with = hodges_lehmann_shift(a, b), without = hodges_lehmann_shift({a.data(), 33}, {b.data(), 33});
    approximate += *with.high - *with.low;
    exact += *without.high - *without.low;
  }
  CHECK_THAT(approximate / exact, WithinAbs(std::sqrt(33.0 / 34.0), .01));
}

TEST_CASE("too few runs for the level leave the shift without bounds") {
  const auto shift = hodges_lehmann_shift(Scores{1, 2, 3}, Scores{4, 6, 9});
  CHECK(shift.point == -4.0);
  CHECK_FALSE(shift.low);
  CHECK_FALSE(shift.high);
  CHECK(refused_field([] { (void)hodges_lehmann_shift({}, Scores{1}); }) == "candidate runs");
  CHECK(refused_field([] { (void)hodges_lehmann_shift(Scores{1}, Scores{1, 2}, .5); }) == "alpha");
}

TEST_CASE("Mann-Whitney gives the shift beside its probability, in the unit of the scores") {
  const auto higher = compare("mann_whitney", first, second, {.direction = Direction::higher});
  REQUIRE(higher.further.size() == 1);
  CHECK_THAT(higher.further[0].estimate.point, WithinAbs(1.65, 1e-12));
  const auto lower = compare("mann_whitney", first, second, {.direction = Direction::lower});
  CHECK_THAT(lower.further[0].estimate.point, WithinAbs(1.65, 1e-12));
  CHECK_THAT(*lower.further[0].estimate.low, WithinAbs(-.6, 1e-12));
}

}  // namespace retrial::tests::shift_tests
