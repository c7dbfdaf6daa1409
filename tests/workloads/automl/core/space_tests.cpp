// Group B of the specification of automated search: transforms and bounds.
#include "tests/catch.hpp"
#include "workloads/automl/core/space.hpp"

namespace retrial::automl_space_tests {

using namespace retrial::automl;

using Kind = Hyperparameter::Kind;

TEST_CASE("coordinates of whole numbers, logarithms and shares") {
  const auto one = [](Kind kind, double low, double high) {
    return Space({{.name = "x", .kind = kind, .low = low, .high = high, .init = low}});
  };
  const auto at = [](const Space& space, double z) { return space.chosen_at(std::vector{z}).at("x"); };
  const Space leaves = one(Kind::log_integer, 4, 1000);
  CHECK_THAT(leaves.normalised({{"x", std::int64_t{64}}}).front(), WithinAbs(.502238674411, 1e-12));
  CHECK(std::get<std::int64_t>(at(leaves, .5)) == 63);
  CHECK(std::get<std::int64_t>(at(leaves, .75)) == 251);
  const Space depth = one(Kind::integer, 1, 16);
  CHECK_THAT(depth.normalised({{"x", std::int64_t{6}}}).front(), WithinAbs(5. / 14, 1e-12));
  CHECK(std::get<std::int64_t>(at(depth, .5)) == 8);
  CHECK(std::get<std::int64_t>(at(depth, .25)) == 4);  // 4.5, half to even
  CHECK_THAT(one(Kind::log_integer, 4, 32768).min_step({{"x", std::int64_t{4}}}), WithinAbs(.024763783, 1e-9));
  CHECK(one(Kind::linear, 0, 1).min_step({{"x", .5}}) == 1e-4);
  std::vector<Hyperparameter> seven(7, {.kind = Kind::linear});
  for (std::size_t i = 0; i < seven.size(); ++i) seven[i].name = "x" + std::to_string(i);
  seven[0] = {.name = "x0", .kind = Kind::log_integer, .low = 4, .high = 1000, .init = 4};
  CHECK_THAT(Space(seven).min_step({{"x0", std::int64_t{100}}}), WithinAbs(.004768823415, 1e-12));
  CHECK(rounded(1. / 3) == .333333333333);
}

TEST_CASE("a fixed parameter is no dimension, and a choice keeps its value in its own bin") {
  const Space space({{.name = "fixed", .low = 2, .high = 2, .init = 2},
                     {.name = "kind", .kind = Kind::choice, .init = 1, .choices = {"a", "b", "c"}}});
  REQUIRE(space.dimensions() == 1);
  const Chosen start = space.initial();
  CHECK(std::get<std::int64_t>(space.chosen_at(std::vector{.5}, start, 1).at("kind")) == 1);
  for (std::uint64_t key = 0; key < 50; ++key)
    CHECK(std::get<std::int64_t>(space.chosen_at(std::vector{.9}, start, key).at("kind")) != 1);
}

}  // namespace retrial::automl_space_tests
