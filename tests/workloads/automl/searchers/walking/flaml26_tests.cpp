// Groups E, F and G of the specification of automated search: FLOW2 as FLAML 2.6 ships it. Rows were recorded from
// FLAML or from a program that reproduces them.
#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/automl/searchers/walking/sphere.hpp"
#include "workloads/automl/searchers/walking/flow2.hpp"

namespace retrial::automl_flaml26_tests {

using namespace retrial::automl;

struct Row {
  std::int64_t t;
  std::vector<double> x;
  double loss;
  bool accepted;
};

/// The steps after each evaluation, the start as the first.
std::vector<double> check_walk(const std::vector<Coordinates>& directions, std::int64_t evaluations,
                               const std::vector<Row>& rows) {
  const Space space = sphere_space(static_cast<int>(directions.front().size()));
  const auto walk = flow2_sampler(space, {},
                                  {.rule = Flow2Rule::flaml26,
                                   .min_step = 1e-4,
                                   .directions = [&](std::uint64_t, std::uint64_t i) { return directions.at(i); }},
                                  space.initial());
  std::vector<double> steps;
  double best = 0;
  for (std::int64_t t = 0; t <= evaluations; ++t) {
    const auto next = walk->propose(t);
    REQUIRE(next);
    const double loss = sphere(next->configuration);
    const bool accepted = t == 0 || loss < best;
    if (accepted) best = loss;
    for (const Row& row : rows) {
      if (row.t != t) continue;
      CAPTURE(t);
      for (std::size_t i = 0; i < row.x.size(); ++i)
        CHECK_THAT(std::get<double>(next->configuration.at("x" + std::to_string(i))), WithinAbs(row.x[i], 1e-8));
      CHECK_THAT(loss, WithinAbs(row.loss, 1e-7));
      CHECK(accepted == row.accepted);
    }
    walk->observe(t, loss);
    steps.push_back(walk->step());
  }
  return steps;
}

const std::vector<Coordinates> in_two{
    {0.976316860405, 0.216345529396},   {0.150835005890, -0.988558951706},  {-0.888693197713, 0.458502344964},
    {0.692580759762, -0.721340343532},  {0.777890523179, 0.628399820137},   {0.548253707837, -0.836312066063},
    {-0.684997672862, -0.728545254719}, {-0.982055240934, 0.188593488098},  {-0.028180869435, 0.999602840431},
    {0.932721071945, 0.360598671585},   {-0.052798296367, -0.998605197213}, {0.643393641219, 0.765535513506},
    {-0.881976361288, -0.471293643209}, {-0.069882915685, 0.997555200525},  {0.062183030793, -0.998064762769}};

TEST_CASE("the walk of FLAML in two dimensions, from injected directions") {
  const auto steps = check_walk(
      in_two, 29,
      {{2, {2.619279455, 3.694041218}, 20.506565384, true},    {4, {2.619279455, 3.694041218}, 20.506565384, false},
       {3, {2.832592366, 2.296007741}, 13.295231060, true},    {6, {2.832592366, 2.296007741}, 13.295231060, false},
       {9, {3.655350824, 2.812990227}, 21.274503668, false},   {10, {1.455144168, 1.035607131}, 3.189926681, true},
       {14, {1.455144168, 1.035607131}, 3.189926681, false},   {11, {2.230491998, -0.147116735}, 4.996737885, false},
       {13, {0.486411169, 0.005288551}, 0.236623794, true},    {15, {-0.902424671, 0.272000020}, 0.888354298, false},
       {16, {1.875247010, -0.261422918}, 3.584893290, false},  {17, {0.446557402, 1.418940445}, 2.212805499, false},
       {18, {0.526264937, -1.408363343}, 2.260442090, false},  {19, {1.618691606, 0.443038735}, 2.816445835, false},
       {20, {-0.645869267, -0.432461633}, 0.604170175, false}, {21, {0.425444948, -1.147801408}, 1.498451476, false},
       {22, {0.547377391, 1.158378510}, 1.641462780, false},   {23, {1.196302483, 0.849945657}, 2.153547251, false},
       {24, {-0.223480144, -0.839368555}, 0.754482947, false}, {26, {1.419807215, 0.504058861}, 2.269927863, false},
       {27, {0.415245891, 1.021149043}, 1.215174519, false}});
  CHECK_THAT(steps[23], WithinAbs(0.105830052, 1e-8));
  CHECK_THAT(steps[25], WithinAbs(0.101835015, 1e-8));
  CHECK_THAT(steps[27], WithinAbs(0.098260737, 1e-8));
  CHECK_THAT(steps[29], WithinAbs(0.095038193, 1e-8));
}

TEST_CASE("the walk of FLAML takes the step back that a success was proposed with") {
  const auto steps = check_walk({{0.963884386557, -0.265662779080, 0.018713021200},
                                 {0.458935297900, -0.888466646045, 0.002326199851},
                                 {-0.000438944795, -0.865048669425, 0.501687758325},
                                 {0.679413182443, -0.707619883030, -0.194092319950},
                                 {0.816954724184, -0.422554170834, -0.392470319062},
                                 {-0.931332279787, 0.355411387096, 0.079390997911},
                                 {0.121172117042, -0.673949794597, 0.728772250030},
                                 {0.074506683950, -0.186894828295, 0.979550446482},
                                 {-0.030118869171, -0.962692751124, -0.268915452611},
                                 {-0.896787704457, 0.411257139255, -0.163215742338},
                                 {-0.352892294842, 0.509682377141, -0.784659736875},
                                 {0.239764431020, -0.924441730382, -0.296513919986}},
                                24,
                                {{1, {5, 3.539858569, 4.032411903}, 53.790944448, false},
                                 {10, {1.710395433, 3.653157352, 4.651395726}, 37.906493377, false},
                                 {11, {1.512287696, 3.536862639, 4.109126435}, 31.681331462, true},
                                 {14, {1.512287696, 3.536862639, 2.724409379}, 22.218817867, true},
                                 {16, {0.756184796, 5, -5}, 50.571815446, false},
                                 {20, {5, -0.636624879, 4.380742603}, 44.596196991, false},
                                 {22, {5, -1.635456176, 5}, 52.674716905, false},
                                 {24, {-0.278468573, 5, 4.939017104}, 49.471434695, false}});
  CHECK_THAT(steps[10], WithinAbs(0.173205081, 1e-8));
  CHECK_THAT(steps[11], WithinAbs(0.312249900, 1e-8));
  CHECK_THAT(steps[13], WithinAbs(0.562916512, 1e-8));
  CHECK_THAT(steps[14], WithinAbs(1.014812175, 1e-8));
  CHECK_THAT(steps[22], WithinAbs(0.746881538, 1e-8));
  CHECK_THAT(steps[24], WithinAbs(0.717580570, 1e-8));
}

struct Walked {
  double best = 1e300, shortest = 1e300;
  int again = 0;  ///< points that had been tried before
};

Walked walked(const Flow2Options& options, int d, int evaluations, std::uint64_t seed) {
  const Space space = sphere_space(d);
  const auto walk = flow2_sampler(space, {.seed = seed}, options, space.initial());
  Walked out;
  std::vector<Chosen> seen;
  for (std::int64_t id = 0; id <= evaluations; ++id) {
    const auto next = walk->propose(id);
    REQUIRE(next);
    if (evaluations <= 200) {
      out.again += std::ranges::find(seen, next->configuration) != seen.end() ? 1 : 0;
      seen.push_back(next->configuration);
    }
    const double loss = sphere(next->configuration);
    if (id > 0) out.best = std::min(out.best, loss);
    walk->observe(id, loss);
    out.shortest = std::min(out.shortest, walk->step());
  }
  return out;
}

TEST_CASE("medians of the walk of FLAML on the sphere, to a factor of 2") {
  struct Median {
    int d, evaluations;
    double value;
  };
  for (const auto& [d, evaluations, value] :
       {Median{2, 50, .197}, {2, 200, .0663}, {2, 1000, .0155}, {10, 200, 4.83}, {10, 1000, 2.01}}) {
    std::vector<double> all;
    for (std::uint64_t seed = 0; seed < 31; ++seed)
      all.push_back(walked({.rule = Flow2Rule::flaml26}, d, evaluations, seed).best);
    std::ranges::nth_element(all, all.begin() + 15);
    CAPTURE(d, evaluations, all[15]);
    CHECK((all[15] > value / 2 && all[15] < value * 2));
  }
}

// Mistakes 2 and 3 of the specification: the coded step rule departs from the published one, and the opposite of a
// direction is tried from a moved incumbent, which is a known point.
TEST_CASE("the published rule shrinks further than the one that FLAML ships, and never tries a point twice") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    CAPTURE(seed);
    const Flow2Options paper{.rule = Flow2Rule::paper, .dead_region = 0}, shipped{.rule = Flow2Rule::flaml26};
    CHECK(walked(paper, 2, 1000, seed).shortest * 5 < walked(shipped, 2, 1000, seed).shortest);
    CHECK(walked(paper, 2, 200, seed).again == 0);
    CHECK(walked(shipped, 2, 200, seed).again > 0);
  }
}

// Mistake 9: waits of 2^(d-1) iterations freeze a walk above eight dimensions.
TEST_CASE("a cap on the wait beats none in ten dimensions", "[slow]") {
  int better = 0;
  for (std::uint64_t seed = 0; seed < 101; ++seed) {
    const Flow2Options whole{.rule = Flow2Rule::paper, .dead_region = 0},
        capped{.rule = Flow2Rule::paper, .wait_cap = 20, .dead_region = 0};
    better += walked(capped, 10, 1000, seed).best < walked(whole, 10, 1000, seed).best ? 1 : 0;
  }
  CHECK(better > 90);
}

TEST_CASE("a walk that converged starts again: around its start, or within what it has seen") {
  for (const RestartRule rule : {RestartRule::paper, RestartRule::cfo})
    for (const Flow2Rule walk_rule : {Flow2Rule::paper, Flow2Rule::adaptive, Flow2Rule::flaml26}) {
      const Space space = sphere_space(2);
      const auto walk = flow2_sampler(
          space, {.seed = 3}, {.rule = walk_rule, .dead_region = 0, .min_step = .05, .restart = rule}, space.initial());
      int restarts = 0;
      for (std::int64_t id = 0; id < 400; ++id) {
        const auto next = walk->propose(id);
        REQUIRE(next);
        restarts += next->origin == "flow2:restart" ? 1 : 0;
        walk->observe(id, sphere(next->configuration));
      }
      CAPTURE(static_cast<int>(rule), static_cast<int>(walk_rule));
      CHECK(restarts > 0);
    }
}

// Mistake 10: runs that never leave a plateau, hidden by medians.
TEST_CASE("a walk leaves a plateau") {
  const auto plateau = [](const Chosen& at) {
    const double x = std::get<double>(at.at("x0")) + 2, y = std::get<double>(at.at("x1")) + 2;
    return std::min(1.0, x * x + y * y);
  };
  const auto found = [&](std::int64_t dead_region) {
    const Space space = sphere_space(2);
    const auto walk = flow2_sampler(space, {.seed = 1}, {.dead_region = dead_region, .min_step = .01}, space.initial());
    double best = 1;
    for (std::int64_t id = 0; id < 100; ++id) {
      const auto next = walk->propose(id);
      const double loss = plateau(next->configuration);
      best = std::min(best, loss);
      walk->observe(id, loss);
    }
    return best;
  };
  CHECK(found(4) < 1);
  CHECK(found(0) == 1);
}

}  // namespace retrial::automl_flaml26_tests
