// Groups G and H of the specification of automated search: walks.
#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/automl/searchers/walking/sphere.hpp"
#include "workloads/automl/searchers/walking/flow2.hpp"

namespace retrial::automl_flow2_tests {

using namespace retrial::automl;
using Kind = Hyperparameter::Kind;

/// The best loss of a number of evaluations after the start.
double best_of(Flow2Options options, int d, int evaluations, std::uint64_t seed) {
  const Space space = sphere_space(d);
  options.dead_region = 0;
  const auto walk = flow2_sampler(space, {.seed = seed, .learner = 0}, options, space.initial());
  double best = 1e300;
  for (std::int64_t id = 0; id <= evaluations; ++id) {
    const auto next = walk->propose(id);
    REQUIRE(next);
    const double loss = sphere(next->configuration);
    if (id > 0) best = std::min(best, loss);
    walk->observe(id, loss);
  }
  return best;
}

double median_of(const Flow2Options& options, int d, int evaluations) {
  std::vector<double> all;
  for (std::uint64_t seed = 0; seed < 101; ++seed) all.push_back(best_of(options, d, evaluations, seed));
  std::ranges::nth_element(all, all.begin() + 50);
  return all[50];
}

TEST_CASE("walks on the sphere reach what the specification's own program reached from the same draws") {
  struct Row {
    Flow2Options options;
    int d, evaluations;
    std::array<double, 4> seeds;
    double median;
  };
  const Flow2Options paper{.rule = Flow2Rule::paper}, capped{.rule = Flow2Rule::paper, .wait_cap = 20},
      two{.shrink_after = 2}, four{.shrink_after = 4}, seven{.shrink_after = 7};
  const std::vector<Row> rows{{paper, 2, 200, {0.000350807, 0.00599864, 0.00707288, 0.000787022}, .00233},
                              {paper, 5, 100, {1.26302, 1.48014, 0.765102, 1.15152}, 1.02},
                              {paper, 5, 200, {0.474147, 0.53709, 0.124547, 0.525653}, .481},
                              {capped, 10, 1000, {0.327259, 0.114138, 0.13553, 0.181297}, .25},
                              {two, 5, 100, {0.0439627, 0.333672, 0.00152068, 0.0034027}, .041},
                              {two, 7, 100, {0.0517799, 0.645813, 0.77059, 0.39587}, .378},
                              {four, 2, 50, {0.167771, 0.0900086, 0.110678, 0.165396}, .168},
                              {seven, 5, 100, {0.820875, 3.12599, 2.53042, 2.98227}, 2.53}};
  for (const Row& row : rows) {
    CAPTURE(row.d, row.evaluations, row.options.shrink_after);
    for (std::uint64_t seed = 0; seed < 4; ++seed)
      CHECK_THAT(best_of(row.options, row.d, row.evaluations, seed), WithinRel(row.seeds[seed], 1e-5));
    const double median = median_of(row.options, row.d, row.evaluations);
    CHECK((median > row.median / 1.5 && median < row.median * 1.5));
  }
}

struct Step {
  const char* origin;
  std::int64_t a;
  double b, loss;
};

void check_trace(const Flow2Options& options, std::uint64_t seed, std::int64_t skipped,
                 const std::vector<Step>& expected) {
  const Space space({{.name = "a", .kind = Kind::log_integer, .low = 4, .high = 1000, .init = 4, .cheapest = 4.},
                     {.name = "b", .kind = Kind::log, .low = 1. / 1024, .high = 1, .init = .1}});
  const auto walk = flow2_sampler(space, {.seed = seed, .learner = 0}, options, space.cheapest());
  for (std::int64_t id = 0; id <= skipped + std::ssize(expected); ++id) {
    const auto next = walk->propose(id);
    REQUIRE(next);
    const auto a = std::get<std::int64_t>(next->configuration.at("a"));
    const double b = std::get<double>(next->configuration.at("b")),
                 loss = std::pow(std::log2(static_cast<double>(a)) - 6, 2) / 10 + std::pow(std::log10(b) + 2, 2);
    if (id == 0) CHECK_THAT(loss, WithinAbs(2.6, 1e-12));
    if (id > skipped) {
      const Step& step = expected[static_cast<std::size_t>(id - skipped - 1)];
      CAPTURE(id);
      CHECK(next->origin == step.origin);
      CHECK(a == step.a);
      CHECK_THAT(b, WithinRel(step.b, 1e-9));
      CHECK_THAT(loss, WithinAbs(step.loss, 1e-9));
    }
    walk->observe(id, loss);
  }
}

TEST_CASE("a walk over whole numbers and logarithms takes the steps of the specification") {
  const Flow2Options paper{.rule = Flow2Rule::paper, .dead_region = 0}, adaptive{.shrink_after = 2, .dead_region = 0};
  check_trace(paper, 1, 0,
              {{"flow2:+", 9, .0882209329711, 1.695038188},
               {"flow2:+", 15, .0413039756691, .817556665},
               {"flow2:+", 14, .0155970206702, .518034322},
               {"flow2:+", 19, .0380130091512, .643297215},
               {"flow2:-", 10, .00639957370434, .754784330},
               {"flow2:+", 6, .0131566993716, 1.180444108},
               {"flow2:-", 30, .0184899758607, .190743829},
               {"flow2:+", 60, .0115848901649, .004949114}});
  check_trace(adaptive, 2, 4,
              {{"flow2:-", 14, .0201767158616, .573703058},
               {"flow2:+", 9, .00252088220212, 1.159071798},
               {"flow2:-", 22, .161491029853, 1.696957660},
               {"flow2:+", 25, .153693209019, 1.592061929},
               {"flow2:-", 8, .0026487823734, 1.232875598},
               {"flow2:+", 9, .0064457604749, .837308795},
               {"flow2:-", 23, .0631577708395, .858669981},
               {"flow2:+", 11, .0704495986198, 1.364346760},
               {"flow2:-", 18, .00577859733675, .391646003}});
}

}  // namespace retrial::automl_flow2_tests
