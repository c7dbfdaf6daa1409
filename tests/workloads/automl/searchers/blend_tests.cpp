// Group L of the specification of automated search: whose turn it is in BlendSearch.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tests/catch.hpp"
#include "workloads/automl/searchers/blend.hpp"

namespace retrial::automl_blend_tests {

using namespace retrial::automl;

TEST_CASE("priorities of three threads") {
  const std::vector<BlendProgress> threads{
      {100, 80, 50, .30, .34, 1}, {60, 55, 20, .28, .36, 2}, {40, 10, 10, .33, .33, 1}};
  const auto priorities = blend_priorities(threads, .28, 1000, 1);
  CHECK_THAT(priorities[0], WithinAbs(-.272, 1e-9));
  CHECK_THAT(priorities[1], WithinAbs(-.245, 1e-9));
  CHECK_THAT(priorities[2], WithinAbs(-.295, 1e-9));
}

Space plane() {
  return Space({{.name = "x", .low = -5, .high = 5, .init = -3}, {.name = "y", .low = -5, .high = 5, .init = -3}});
}

double loss_of(const Chosen& at) {
  const double x = number(at, "x", 0) - 2, y = number(at, "y", 0) - 1;
  return x * x + y * y;
}

TEST_CASE("a search has walks and global points, and repeats itself") {
  for (const Flow2Rule rule : {Flow2Rule::adaptive, Flow2Rule::paper, Flow2Rule::flaml26}) {
    const auto run = [&](std::uint64_t seed) {
      const Space space = plane();
      const auto sampler =
          blend_sampler(space, {.seed = seed}, {.rule = rule, .min_step = .05}, {}, 400, space.initial());
      std::set<std::string> origins;
      std::vector<double> losses;
      for (std::int64_t id = 0; id < 400; ++id) {
        const auto next = sampler->propose(id);
        REQUIRE(next);
        origins.insert(next->origin);
        losses.push_back(loss_of(next->configuration));
        sampler->observe(id, losses.back());
      }
      return std::pair(losses, origins);
    };
    const auto [losses, origins] = run(1);
    CAPTURE(static_cast<int>(rule));
    CHECK(origins.contains("blend:global"));
    CHECK(origins.contains("flow2:+"));
    CHECK(std::ranges::min(losses) < .05);
    CHECK(run(1).first == losses);
    CHECK(run(2).first != losses);
  }
}

TEST_CASE("several under way, in any order of delivery, and failures") {
  const Space space = plane();
  const auto sampler = blend_sampler(space, {.seed = 1}, {}, {}, 300, space.initial());
  std::vector<std::pair<std::int64_t, double>> under_way;
  std::int64_t proposed = 0;
  for (int turn = 0; turn < 300; ++turn) {
    while (under_way.size() < 4) {
      const auto next = sampler->propose(proposed);
      if (!next) break;
      const bool fails = proposed % 9 == 0;
      under_way.emplace_back(proposed, fails ? std::numeric_limits<double>::infinity() : loss_of(next->configuration));
      ++proposed;
    }
    REQUIRE_FALSE(under_way.empty());
    const auto [id, loss] = under_way.back();
    under_way.pop_back();
    sampler->observe(id, loss);
  }
  CHECK(proposed >= 300);
}

}  // namespace retrial::automl_blend_tests
