// Group M of the specification of automated search: test functions.
#include "tests/catch.hpp"
#include "workloads/automl/core/space.hpp"
#include "workloads/automl/problems/functions.hpp"

namespace retrial::automl_functions_tests {

using namespace retrial::automl;

double at(const char* name, const std::vector<double>& x) {
  return function_if_known(name)->value(x);
}

TEST_CASE("test functions have their published values") {
  CHECK_THAT(at("branin", {0, 0}), WithinRel(55.6021126423, 1e-11));
  CHECK_THAT(at("branin", {2.5, 7.5}), WithinRel(24.1299644136, 1e-11));
  CHECK_THAT(at("branin", {10, 0}), WithinRel(10.9608890357, 1e-11));
  CHECK_THAT(at("hartmann6", std::vector<double>(6, .5)), WithinRel(-.505314991702, 1e-11));
  CHECK_THAT(at("hartmann6", {.1, .2, .3, .4, .5, .6}), WithinRel(-1.406910576139, 1e-11));
  CHECK_THAT(at("hartmann3", {.5, .5, .5}), WithinRel(-.628022015071, 1e-11));
  CHECK_THAT(at("ackley", {1.5, -2.5, 3}), WithinRel(9.66372027461, 1e-11));
  CHECK(at("rosenbrock", {0, 0, 0, 0}) == 3);
  CHECK(at("rosenbrock", {2, 2, 2, 2}) == 1203);
  CHECK_THAT(at("rosenbrock", {-1.2, 1}), WithinRel(24.2, 1e-12));
  CHECK_THAT(at("rastrigin", {.25, -1.5}), WithinRel(32.3125, 1e-12));
  CHECK_THAT(at("levy", {-3, 2}), WithinRel(8.205734182736, 1e-11));
  CHECK_THAT(at("camel6", {1, 1}), WithinRel(3.23333333333, 1e-11));
  CHECK_THAT(at("holder", {1, 2}), WithinRel(-.4671600324, 1e-9));
}

TEST_CASE("test functions have their published minima") {
  CHECK_THAT(at("branin", {3.14159265358979, 2.275}), WithinRel(.397887357729738, 1e-9));
  CHECK_THAT(at("hartmann6", {.20169, .150011, .476874, .275332, .311652, .657301}), WithinRel(-3.32236801141, 1e-8));
  CHECK_THAT(at("hartmann3", {.114614, .555649, .852547}), WithinRel(-3.86277978695, 1e-9));
  CHECK_THAT(at("holder", {8.05502, 9.66459}), WithinRel(-19.2085025678, 1e-9));
  CHECK_THAT(at("camel6", {.0898420131, -.712656403}), WithinRel(-1.03162845349, 1e-10));
  CHECK_THAT(at("styblinski", {-2.903534, -2.903534}), WithinRel(2 * -39.166166, 1e-7));
  for (const TestFunction& function : test_functions())
    if (function.name == "hartmann3") CHECK_THAT(function.minimum(3), WithinRel(-3.86277978695, 1e-9));
}

TEST_CASE("no problem has its optimum in the middle, in a corner or at the start") {
  for (const TestFunction& function : test_functions()) {
    const int d = function.dimensions == 0 ? 2 : function.dimensions;
    const FunctionProblem problem(function, d);
    const auto parameters = problem.space(0);
    const auto regret = [&](double share) {
      Evaluation e;
      for (const Hyperparameter& p : parameters) e.configuration[p.name] = p.low + share * (p.high - p.low);
      return problem.evaluate(e).loss - problem.minimum();
    };
    CAPTURE(function.name);
    for (const double share : {0., .2, .5, 1.}) CHECK(regret(share) > 1e-3);
  }
}

}  // namespace retrial::automl_functions_tests
