// Expected values: the specification's reference values for metrics, closed forms and arithmetic.
#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "workloads/pruning/measures/metrics.hpp"

namespace retrial::tests::metrics_tests {

using namespace retrial;
using pruning::Step;

namespace {

/// Reference accuracy 92.0 of 1,000 images; accuracies 92.3, 91.6, 91.4, 91.6.
const std::vector<Step> published{{.2, 77}, {.5, 84}, {.8, 86}, {.9, 84}};

pruning::Potential at(double delta) {
  return pruning::potential(80, published, 1000, delta);
}

std::vector<Step> drawn(std::uint64_t key) {
  variance::Stream stream(key);
  std::vector<Step> steps;
  for (int i = 0; i < 8; ++i)
    steps.push_back({static_cast<double>(variance::bounded(stream.next(), 20)) / 20,
                     static_cast<std::int64_t>(variance::bounded(stream.next(), 101))});
  return steps;
}

}  // namespace

TEST_CASE("prune potential by both rules at the reference values") {
  for (const double delta : {0.0, .25}) {
    CHECK(at(delta).max == .2);
    CHECK(at(delta).first_failure == .2);
  }
  CHECK(at(1).max == .9);
  CHECK(at(1).first_failure == .9);
}

TEST_CASE("a potential whose deepest step qualifies is a bound, by each rule for itself") {
  CHECK(at(1).max_at_end);
  CHECK(at(1).first_at_end);
  CHECK(at(.5).max_at_end);
  CHECK_FALSE(at(.5).first_at_end);
  CHECK_FALSE(at(0).max_at_end);
  CHECK_FALSE(pruning::potential(80, {}, 1000, 1).max_at_end);
}

TEST_CASE("a lucky deep step counts under the rule of the maximum alone") {
  CHECK(at(.5).max == .9);
  CHECK(at(.5).first_failure == .5);
}

TEST_CASE("a potential comes with its step of the grid") {
  CHECK(at(0).grid.below == .2);
  CHECK(at(0).grid.above == std::optional(.5));
  CHECK(at(1).grid.below == .9);
  CHECK_FALSE(at(1).grid.above);
  const auto none = at(-10);
  CHECK(none.max == 0);
  CHECK(none.grid.below == 0);
  CHECK(none.grid.above == std::optional(.2));
  const auto between = pruning::grid_step(.73, published);
  CHECK(between.below == .5);
  CHECK(between.above == std::optional(.8));
}

TEST_CASE("the margin is the decimal it is written as, without slack") {
  const std::vector<Step> seven{{.5, 7}};
  CHECK(pruning::potential(0, seven, 1000, .7).max == .5);  // the nearest double of .7 is below it
  CHECK(pruning::potential(0, seven, 1000, .6999).max == 0);
  const std::vector<Step> better{{.5, 93}};
  CHECK(pruning::potential(100, better, 1000, -.7).max == .5);
  CHECK(pruning::potential(100, better, 1000, -.7001).max == 0);
}

TEST_CASE("of equal prune ratios the better step counts, in any order") {
  for (const auto& steps : {std::vector<Step>{{.5, 3}, {.5, 90}, {.7, 2}}, {{.7, 2}, {.5, 90}, {.5, 3}}})
    CHECK(pruning::potential(5, steps, 100, 0).first_failure == .7);
}

TEST_CASE("potential never falls with the margin, and the first failure is never beyond the maximum") {
  for (std::uint64_t key = 0; key < 200; ++key) {
    const auto steps = drawn(key);
    pruning::Potential last{};
    for (const double delta : pruning::potential_deltas()) {
      const auto now = pruning::potential(50, steps, 100, delta);
      CHECK(now.first_failure <= now.max);
      CHECK(now.max >= last.max);
      CHECK(now.first_failure >= last.first_failure);
      last = now;
    }
  }
}

TEST_CASE("potential is 0 when every step fails, and without steps") {
  CHECK(pruning::potential(0, published, 1000, 5).max == 0);
  CHECK(pruning::potential(0, {}, 1000, 5).max == 0);
}

TEST_CASE("counts and margins that cannot be are refused by name") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(at(nan), has_text("delta = NaN"));
  CHECK_THROWS_WITH(at(101), has_text("delta = 101.0"));
  CHECK_THROWS_WITH(at(1e-300), has_text("delta"));
  CHECK_THROWS_WITH(pruning::potential(1001, published, 1000, 0), has_text("ref_errors = 1001"));
  CHECK_THROWS_WITH(pruning::potential(0, published, 0, 0), has_text("n = 0"));
  CHECK_THROWS_WITH(pruning::potential(0, std::vector<Step>{{.5, -1}}, 10, 0), has_text("errors = -1"));
  CHECK_THROWS_WITH(pruning::potential(0, std::vector<Step>{{nan, 1}}, 10, 0), has_text("pr = NaN"));
}

TEST_CASE("a parent within three deviations of chance is untrained") {
  // 1/10 + 3 sqrt(.09 / 100) = .19
  CHECK(pruning::at_chance(81, 100, 10));
  CHECK_FALSE(pruning::at_chance(80, 100, 10));
}

TEST_CASE("excess error of a network against itself is 0, and its slope goes through the origin") {
  CHECK(pruning::excess_error(30, 8, 30, 8) == 0);
  CHECK(pruning::excess_error(31.5, 8, 30, 8.25) == 1.75);
  const std::vector<double> pr{.2, .5, .8, .9}, e{.1, .9, 1.8, 2.2};
  CHECK(pruning::excess_slope(pr, e) == Approx(2.235632183908046).epsilon(1e-14));
  CHECK_FALSE(pruning::excess_slope(std::vector<double>{0}, std::vector<double>{1}));
  CHECK_THROWS_AS(pruning::excess_slope(pr, std::vector<double>{1}), InvalidInput);
}

TEST_CASE("the band of the slope draws whole cascades") {
  const std::vector<pruning::Cascade> alike(4, {{.2, .5, .8, .9}, {.1, .9, 1.8, 2.2}});
  const auto none = pruning::excess_slope(alike);
  REQUIRE(none);
  CHECK(*none->low == none->point);  // points of one cascade scatter, cascades do not
  CHECK(*none->high == none->point);

  const std::vector<pruning::Cascade> two{{{1}, {1}}, {{1}, {3}}};
  const auto wide = pruning::excess_slope(two);
  REQUIRE(wide);
  CHECK(wide->point == 2);
  CHECK(*wide->low == 1);
  CHECK(*wide->high == 3);
}

TEST_CASE("one pair has values without an interval") {
  const auto slope = pruning::excess_slope(std::vector<pruning::Cascade>{{{1}, {2}}});
  REQUIRE(slope);
  CHECK(slope->point == 2);
  CHECK_FALSE(slope->low);
  CHECK_FALSE(slope->high);
  const auto mean = pruning::over_seeds(std::vector<double>{94.0});
  CHECK(mean.point == 94.0);
  CHECK_FALSE(mean.low);
  CHECK_THROWS_AS(pruning::over_seeds({}), InvalidInput);
  CHECK_FALSE(pruning::excess_slope(std::vector<pruning::Cascade>{}));
}

TEST_CASE("the mean over seeds has Student's interval") {
  // 4 +- t sd / sqrt(3), sd 2; of two degrees of freedom t(p) = (2 p - 1) / sqrt(2 p (1 - p))
  const auto mean = pruning::over_seeds(std::vector<double>{2, 4, 6});
  CHECK(mean.point == 4);
  CHECK(*mean.high - 4 == Approx(.95 / std::sqrt(.04875) * 2 / std::sqrt(3.0)).epsilon(1e-12));
  CHECK(4 - *mean.low == Approx(*mean.high - 4).epsilon(1e-12));
}

TEST_CASE("an interval of a share stays within 0 to 100, and numbers that do not vary have none") {
  const auto wide = pruning::over_seeds(std::vector<double>{0, 80}, .05, pruning::percent_range);
  CHECK(*pruning::over_seeds(std::vector<double>{0, 80}).low < 0);  // 40 - 12.7 * 40
  CHECK(wide.low == 0.0);
  CHECK(wide.high == 100.0);
  const auto same = pruning::over_seeds(std::vector<double>(10, 89.32), .05, pruning::percent_range);
  CHECK(same.point == 89.32);
  CHECK_FALSE(same.low);
  CHECK(same.method == "the same in every pair");
}

TEST_CASE("corruption error, plain and relative, at the reference values") {
  const std::vector<double> e{10, 20, 30, 40, 50}, ref{20, 30, 40, 50, 60};
  CHECK(pruning::corruption_error(e, ref) == std::optional(.75));
  CHECK(pruning::relative_corruption_error(e, ref, {5, 10}) == Approx(.8333333333).epsilon(1e-9));
  CHECK_FALSE(pruning::corruption_error(e, std::vector<double>(5, 0)));
  CHECK_FALSE(pruning::relative_corruption_error(e, ref, {5, 40}));
  CHECK_THROWS_AS(pruning::corruption_error(e, std::vector<double>{1}), InvalidInput);
}

TEST_CASE("the mean corruption error is undefined when one of its parts is") {
  using Errors = std::vector<std::optional<double>>;
  CHECK(pruning::mean_corruption_error(Errors{.5, 1.0}) == std::optional(.75));
  CHECK_FALSE(pruning::mean_corruption_error(Errors{.5, std::nullopt}));
  CHECK_FALSE(pruning::mean_corruption_error(Errors{}));
}

}  // namespace retrial::tests::metrics_tests
