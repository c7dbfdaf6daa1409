// How well cost units follow time: closed forms.
#include "workloads/automl/costs.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace retrial::tests::automl_costs_tests {

using namespace retrial;
using namespace retrial::automl;

TEST_CASE("times in proportion to units have the factor as scale, and no error") {
  const std::vector<double> units{1, 10, 100, 1000}, times{2.5, 25, 250, 2500};
  const auto fit = cost_fit(units, times);
  CHECK_THAT(fit.scale, WithinRel(2.5, 1e-12));
  CHECK_THAT(fit.spearman, WithinAbs(1, 1e-12));
  CHECK_THAT(fit.log_r2, WithinAbs(1, 1e-12));
  CHECK_THAT(fit.factor, WithinAbs(1, 1e-12));
}

TEST_CASE("ranks, spread and the median factor of times that stray") {
  // ln(time / units) = ln 2, -ln 2, ln 2, -ln 2: scale 1, every factor 2. Ranks 1 2 3 4 against 2 1 4 3: rho = 1 - 6 *
  // 4 / 60.
  const std::vector<double> units{1, 2, 4, 8}, times{2, 1, 8, 4};
  const auto fit = cost_fit(units, times);
  CHECK_THAT(fit.scale, WithinAbs(1, 1e-12));
  CHECK_THAT(fit.factor, WithinAbs(2, 1e-12));
  CHECK_THAT(fit.spearman, WithinAbs(0.6, 1e-12));
  // ln times are ln 2 times 1, 0, 3, 2: squares around 1.5 are 5 (ln 2)^2; the residual is 4 (ln 2)^2.
  CHECK_THAT(fit.log_r2, WithinAbs(1 - 4.0 / 5, 1e-12));
}

TEST_CASE("a learner is measured on the tables whose task it fits") {
  CHECK(tables_of_costs(*learner_if_known("rf")).size() == 6);
  CHECK(tables_of_costs(*learner_if_known("lrl1")).size() == 5);
}

}  // namespace retrial::tests::automl_costs_tests
