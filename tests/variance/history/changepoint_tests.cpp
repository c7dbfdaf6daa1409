#include "variance/history/changepoint.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"
#include "variance/reproduce/tigerbeetle.hpp"

namespace retrial::tests::changepoint_tests {

// Indices of Apache Otava's own tests (Apache-2.0) where a test says so, else of independent programs (the
// specification of the variance layer).

using namespace retrial::variance;
using Values = std::vector<double>;
using Indices = std::vector<std::size_t>;

namespace {
const Values steps{.3, 2.4, 1.5, -.9, -.5, 99.7, 98.3, 99.1, 149.0, 149.7, 149.5, 149.1, 148.8, 150.0};

Indices indices_of(const std::vector<WindowPoint>& points) {
  Indices indices;
  for (const auto& point : points) indices.push_back(point.index);
  return indices;
}

Indices changes(bool sample_deviation, bool refresh_both, double p) {
  return indices_of(windowed_changes(
      tigerbeetle, {.window = 30, .p_max = p, .sample_deviation = sample_deviation, .refresh_both = refresh_both}));
}

Values ramp(double from, double step, int count) {
  Values values;
  for (int i = 0; i < count; ++i) values.push_back(from + step * i);
  return values;
}

Values noise(std::uint64_t index, std::size_t n) {
  Stream draws(31, index);
  Values values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(normal(draws.next()));
  return values;
}
}  // namespace

TEST_CASE("energy statistics of ramps") {
  CHECK(std::accumulate(tigerbeetle.begin(), tigerbeetle.end(), 0.0) == 10218214.0);
  const auto near = energy(ramp(1, 1, 99), ramp(1, 1, 104));
  CHECK_THAT(near.e, WithinAbs(.1604182854, 1e-9));
  CHECK_THAT(near.t, WithinAbs(8.1362889984, 1e-7));
  CHECK_THAT(near.h, WithinAbs(.0023653358, 1e-10));
  const auto inside = energy(ramp(10, 1, 60), ramp(12, 1, 53));
  CHECK_THAT(inside.e, WithinAbs(.2118448637, 1e-9));
  CHECK_THAT(inside.t, WithinAbs(5.9616519174, 1e-7));
  CHECK_THAT(inside.h, WithinAbs(.0055944946, 1e-10));
  const auto far = energy(ramp(1, 1, 299), ramp(1000, 10, 400));
  CHECK_THAT(far.e, WithinRel(4257.0094482, 1e-9));
  CHECK_THAT(far.t, WithinRel(728381.0157368, 1e-9));
  CHECK_THAT(far.h, WithinAbs(.7481563178, 1e-10));
  CHECK_THAT(energy(ramp(1, 1, 99), ramp(10000, 14, 215)).h, WithinAbs(.9547384582, 1e-10));
  CHECK(energy(Values{2, 2}, Values{2}).h == 0.0);
}

TEST_CASE("two jumps are found by the windowed recipe and by permutations") {
  CHECK(indices_of(windowed_changes(steps, {.window = 30, .p_max = .01})) == Indices{5, 8});
  CHECK(indices_of(windowed_changes(steps, compatible_window(30, .01))) == Indices{5, 8});
  const auto points = edivisive(steps);
  REQUIRE(points.size() == 2);
  CHECK(points[0].index == 5);
  CHECK(points[1].index == 8);
  CHECK(points[0].p >= 1.0 / 200);  // never 0
  CHECK(points[0].p <= .015);
  // Three low values at either end are 2 of the 84 arrangements of the last nine: no p below .02 is honest there.
  CHECK_THAT(points[1].p, WithinAbs(2.0 / 84, .03));
}

TEST_CASE("the windowed recipe finds what Apache Otava's tests expect of a year of commits") {
  CHECK(changes(false, false, 1e-3) == Indices{15, 61, 71, 95, 117, 131, 142, 148, 192, 212, 260});
  CHECK(changes(false, false, 1e-4) == Indices{71, 95, 117, 131, 142, 148, 192, 212});
  CHECK(changes(false, false, 1e-5) == Indices{71, 95, 131, 192, 212});
}

TEST_CASE("with both neighbors tested again and an unbiased deviation") {
  CHECK(changes(false, true, 1e-2) == Indices{15, 61, 71, 95, 117, 131, 142, 148, 165, 169, 192, 212, 260});
  CHECK(changes(false, true, 1e-3) == Indices{15, 61, 71, 95, 117, 131, 142, 148, 192, 212});
  CHECK(changes(true, true, 1e-2) == Indices{15, 61, 71, 95, 117, 131, 142, 148, 192, 212, 260});
  CHECK(changes(true, true, 1e-3) == Indices{15, 61, 71, 95, 117, 131, 142, 148, 192, 212});
  CHECK(changes(true, true, 1e-4) == Indices{71, 95, 131, 192, 212});
  CHECK(changes(true, true, 1e-5) == Indices{71, 95, 131, 192});
}

TEST_CASE("the windowed recipe is a display: on pure noise it points at something") {
  // 400 values of noise, p .01: .91 of the series show a point (an independent simulation, 2 %; here 60 series).
  int shown = 0;
  for (std::uint64_t i = 0; i < 60; ++i)
    shown += windowed_changes(noise(i, 400), compatible_window(50, .01)).empty() ? 0 : 1;
  CHECK(shown >= 45);
}

TEST_CASE("permutations of pure noise seldom find a change") {
  int found = 0;
  for (std::uint64_t i = 0; i < 60; ++i)
    found += edivisive(noise(i, 30), {.permutations = 99, .key = i}).empty() ? 0 : 1;
  CHECK(found <= 10);  // .05 of 60 is 3; four standard errors
}

TEST_CASE("the exact partition of a year of commits") {
  const double one = robust_penalty(tigerbeetle, 1);
  const auto coarse = optimal_partition(tigerbeetle, 4 * one, 5);
  CHECK(coarse.changes == Indices{10, 15, 61, 71, 95, 131, 192, 260});
  CHECK_THAT(coarse.objective, WithinAbs(155630021.668, .01));
  const auto fine = optimal_partition(tigerbeetle, 2 * one, 1);
  CHECK(fine.changes == Indices{10, 11, 15, 61, 71, 95, 117, 131, 142, 148, 192, 212, 260, 363, 364});
  CHECK_THAT(fine.objective, WithinAbs(43779727.769, .01));
}

TEST_CASE("pruning does not change the partition") {
  // Against a search of all partitions of up to 12 values.
  for (std::uint64_t series = 0; series < 20; ++series) {
    const auto values = noise(series, 12);
    for (const std::size_t least : {std::size_t{1}, std::size_t{3}})
      for (const double penalty : {.1, 1.0}) {
        double best = 1e300;
        for (unsigned cuts = 0; cuts < 1U << 11; ++cuts) {
          double total = 0;
          std::size_t from = 0;
          bool legal = true;
          for (std::size_t to = 1; to <= 12; ++to) {
            if (to < 12 && (cuts >> (to - 1) & 1U) == 0) continue;
            legal = legal && to - from >= least;
            double mean = 0;
            for (std::size_t i = from; i < to; ++i) mean += values[i] / static_cast<double>(to - from);
            for (std::size_t i = from; i < to; ++i) total += (values[i] - mean) * (values[i] - mean);
            if (to < 12) total += penalty;
            from = to;
          }
          if (legal) best = std::min(best, total);
        }
        CHECK_THAT(optimal_partition(values, penalty, least).objective, WithinAbs(best, 1e-9));
      }
  }
}

TEST_CASE("a history without a change has no change points") {
  CHECK(optimal_partition(Values(50, 3.0), 1.0).changes.empty());
  CHECK(windowed_changes(Values(50, 3.0)).empty());
  CHECK(edivisive(Values(10, 3.0)).empty());
  CHECK(optimal_partition(noise(1, 200), robust_penalty(noise(1, 200))).changes.empty());
  CHECK(windowed_changes({}).empty());
  CHECK(optimal_partition({}, 1.0).changes.empty());
}

TEST_CASE("change points refuse what they cannot read by name") {
  CHECK(refused_field([] { (void)windowed_changes(Values{1, std::nan("")}); }) == "values[1]");
  CHECK(refused_field([] { (void)optimal_partition(Values{1, 2}, -1); }) == "penalty");
  CHECK(refused_field([] { (void)energy(Values{}, Values{1}); }) == "x");
  CHECK(refused_field([] { (void)edivisive(Values{1, 2}, {.permutations = 1}); }) == "permutations");
}

}  // namespace retrial::tests::changepoint_tests
