// Group L of the specification of automated search: points of the Halton sequence.
#include "tests/catch.hpp"
#include "workloads/automl/searchers/proposals/sampler.hpp"

namespace retrial::automl_points_tests {

using namespace retrial::automl;

TEST_CASE("points of the Halton sequence") {
  const auto ten = halton_point(10, 3), hundred = halton_point(100, 3);
  CHECK_THAT(ten[0], WithinAbs(.3125, 1e-12));
  CHECK_THAT(ten[1], WithinAbs(.370370370, 1e-9));
  CHECK_THAT(ten[2], WithinAbs(.08, 1e-12));
  CHECK_THAT(hundred[0], WithinAbs(.1484375, 1e-12));
  CHECK_THAT(hundred[1], WithinAbs(.411522634, 1e-9));
  CHECK_THAT(hundred[2], WithinAbs(.032, 1e-12));
}

}  // namespace retrial::automl_points_tests
