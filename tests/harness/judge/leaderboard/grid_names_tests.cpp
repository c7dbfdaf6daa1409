#include "harness/judge/leaderboard/grid_names.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::grid_names_tests {

using namespace retrial::harness;
using Names = std::vector<std::string>;

TEST_CASE("the names of a full grid give its keys and values, those of the reference first") {
  const Names names{"lr=0.1,width=8", "lr=0.1,width=16", "lr=0.01,width=8", "lr=0.01,width=16"};
  const auto grid = grid_of_names(names, "lr=0.01,width=8");
  REQUIRE(grid);
  REQUIRE(grid->factors.size() == 2);
  CHECK(grid->factors[0].name == "lr");
  CHECK(grid->factors[0].levels == Names{"0.01", "0.1"});
  CHECK(grid->factors[1].levels == Names{"8", "16"});
  CHECK(grid->variants == Names{"lr=0.01,width=8", "lr=0.01,width=16", "lr=0.1,width=8", "lr=0.1,width=16"});
}

TEST_CASE("variants in front of a grid are a factor of their own") {
  const auto grid = grid_of_names({"kd,t=1", "scratch,t=1", "kd,t=4", "scratch,t=4"}, "scratch,t=1");
  REQUIRE(grid);
  CHECK(grid->factors[0].title() == "variant");
  CHECK(grid->factors[0].levels == Names{"scratch", "kd"});
}

TEST_CASE("other names are no grid") {
  const std::vector<Names> none{
      {"base", "shifted"},                           // no keys
      {"lr=1", "lr=2"},                              // one key: the leaderboard says the same
      {"a=1,b=1", "a=1,b=2", "a=2,b=1"},             // a combination is missing
      {"a=1,b=1", "a=1,b=2", "a=2,b=1", "other"},    // one does not belong
      {"a=1,b=1", "a=1,b=2", "b=1,a=2", "a=2,b=2"},  // another order
      {"a=1,b=1", "a=2,b=1"},                        // b has one value
      {"a=1,a=1", "a=1,a=2", "a=2,a=1", "a=2,a=2"},  // a key twice
      {"a=1,", "a=2,", "a=1,b", "a=2,b"},            // values without keys
  };
  for (const auto& names : none) CHECK_FALSE(grid_of_names(names, names.front()));
}

}  // namespace retrial::tests::grid_names_tests
