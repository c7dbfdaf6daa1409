#include "results/record/score_bounds.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::score_bounds_tests {

using namespace retrial::results;
using variance::ScoreBound;

TEST_CASE("a bound is stored with a metric of its own, and any other value is no bound", "[bounds]") {
  CHECK(bound_of("score").name == "score.bound");
  CHECK(is_bound(bound_of("score")));
  CHECK_FALSE(is_bound({.name = "loss.bound", .unit = "nat"}));  // a user's metric
  CHECK_FALSE(is_bound({.name = "score", .unit = "bound"}));
  for (const auto bound : {ScoreBound::exact, ScoreBound::at_least, ScoreBound::at_most})
    CHECK(bound_from(value_of(bound)) == bound);
  CHECK(bound_from({}) == ScoreBound::exact);
  CHECK(bound_from(.5) == ScoreBound::exact);
}

}  // namespace retrial::tests::score_bounds_tests
