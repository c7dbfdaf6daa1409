// Groups G, H, I and L of the specification of automated search: walks, the cost for improvement, points.
#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "workloads/automl/core/improvement.hpp"
#include "workloads/automl/searchers/flow2.hpp"
#include "workloads/automl/searchers/search.hpp"

namespace retrial::automl_searchers_tests {

using namespace retrial::automl;
using Kind = Hyperparameter::Kind;

Space sphere_space(int d) {
  std::vector<Hyperparameter> out;
  for (int i = 0; i < d; ++i) out.push_back({.name = "x" + std::to_string(i), .low = -5, .high = 5, .init = 4});
  return Space(out);
}

double sphere(const Chosen& at) {
  double sum = 0;
  for (const auto& [name, value] : at) sum += std::get<double>(value) * std::get<double>(value);
  return sum;
}

/// The best of so many evaluations after the start.
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

TEST_CASE("the estimated cost for improvement, under the rules of the paper and of two releases") {
  const auto row = [](double e, double before, double k0, double k1, double k2, double kappa, std::int64_t s,
                      std::int64_t n) {
    return Progress{.best = e,
                    .before = before,
                    .cost = k0,
                    .cost_at_best = k1,
                    .cost_at_before = k2,
                    .cost_of_best = kappa,
                    .size = s,
                    .full = n};
  };
  const std::vector<Progress> one{row(.20, .26, 10, 8, 3, 1.5, 10000, 80000), row(.25, .27, 6, 4, 1, .9, 20000, 80000),
                                  row(.22, .30, 12, 7, 6, 4.0, 80000, 80000)},
      two{row(.31, .35, 420, 300, 260, 25, 40000, 40000), row(.29, .40, 900, 880, 700, 60, 40000, 40000),
          row(.29, .30, 150, 60, 20, 12, 10000, 40000), row(.45, .90, 40, 40, 0, 40, 40000, 40000)};
  const auto costs = [](const std::vector<Progress>& table, ImprovementRule rule, double factor, double gap) {
    double best = 1e300;
    for (const Progress& p : table) best = std::min(best, p.best);
    std::vector<double> out;
    for (const Progress& p : table) out.push_back(estimated_cost(p, best, rule, factor, gap));
    return out;
  };
  const auto check = [](const std::vector<double>& got, const std::vector<double>& expected) {
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) CHECK_THAT(got[i], WithinAbs(expected[i], 1e-6));
  };
  using enum ImprovementRule;
  check(costs(one, paper, 2, 1), {3, 12.5, 5});
  check(shares_of(costs(one, paper, 2, 1)), {.543478, .130435, .326087});
  check(costs(one, v01, 2, 2), {3, 25, 10});
  check(costs(one, v26, 4, 2), {5, 25, 5});
  check(costs(two, paper, 2, 1), {120, 180, 24, 40});
  check(costs(two, paper, 2, 2), {160, 180, 24, 40});
  check(costs(two, v26, 4, 2), {160, 180, 48, 40});
}

TEST_CASE("points of the Halton sequence") {
  const auto ten = halton_point(10, 3), hundred = halton_point(100, 3);
  CHECK_THAT(ten[0], WithinAbs(.3125, 1e-12));
  CHECK_THAT(ten[1], WithinAbs(.370370370, 1e-9));
  CHECK_THAT(ten[2], WithinAbs(.08, 1e-12));
  CHECK_THAT(hundred[0], WithinAbs(.1484375, 1e-12));
  CHECK_THAT(hundred[1], WithinAbs(.411522634, 1e-9));
  CHECK_THAT(hundred[2], WithinAbs(.032, 1e-12));
}

TEST_CASE("subsamples grow by a factor, and small tables have none") {
  const auto sizes = [](std::int64_t full, double factor) {
    return ladder({.on = true, .least = 10000, .factor = factor}, full);
  };
  CHECK(sizes(60000, 2) == std::vector<std::int64_t>{10000, 20000, 40000, 60000});
  CHECK(sizes(60000, 4) == std::vector<std::int64_t>{10000, 40000, 60000});
  CHECK(sizes(45000, 4) == std::vector<std::int64_t>{10000, 40000, 45000});
  CHECK(sizes(160000, 2) == std::vector<std::int64_t>{10000, 20000, 40000, 80000, 160000});
  CHECK(sizes(160000, 4) == std::vector<std::int64_t>{10000, 40000, 160000});
  CHECK(sizes(20000, 2) == std::vector<std::int64_t>{20000});
  CHECK(sizes(20001, 2) == std::vector<std::int64_t>{10000, 20000, 20001});
}

}  // namespace retrial::automl_searchers_tests
