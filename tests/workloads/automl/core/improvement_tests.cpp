// Group I of the specification of automated search: the estimated cost for improvement.
#include <algorithm>

#include "tests/catch.hpp"
#include "workloads/automl/core/improvement.hpp"

namespace retrial::automl_improvement_tests {

using namespace retrial::automl;

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

}  // namespace retrial::automl_improvement_tests
