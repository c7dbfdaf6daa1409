#include "variance/many/main_effects.hpp"

#include <vector>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::tests::main_effects_tests {

using namespace retrial::variance;
using Cells = std::vector<std::vector<double>>;
using Levels = std::vector<std::size_t>;

// Two factors, 2 x 3, three pairs; the second changes fastest.
const Cells grid{{10, 12, 11}, {11, 13, 13}, {9, 12, 10}, {12, 15, 13}, {14, 15, 16}, {10, 14, 12}};

// Averages by hand: of the first factor d = (6, 7, 7) / 3. Intervals and p in closed form, as in
// joint_differences_tests.cpp: Student's t with 2 degrees of freedom, Bonferroni over three effects. Two of three
// differences of the first factor are equal, so its p is that of their signs, 2 / 8.
TEST_CASE("the main effects of a 2 x 3 grid are averages over the other factor, in one family") {
  const auto effects = main_effects(Levels{2, 3}, grid, .05);
  REQUIRE(effects.size() == 3);
  const auto& first = effects[0];
  CHECK(first.factor == 0);
  CHECK(first.level == 1);
  CHECK_THAT(first.difference->mean.point, WithinAbs(20. / 9, 1e-12));
  CHECK_THAT(*first.difference->mean.low, WithinAbs(1.37235511801, 1e-9));
  CHECK_THAT(*first.difference->mean.high, WithinAbs(3.07208932644, 1e-9));
  CHECK_THAT(first.difference->p, WithinAbs(.25, 1e-12));
  CHECK_THAT(first.difference->p_holm, WithinAbs(.25, 1e-12));
  CHECK_THAT(first.least, WithinAbs(5. / 3, 1e-12));
  CHECK_THAT(first.largest, WithinAbs(8. / 3, 1e-12));
  CHECK(effects[1].factor == 1);
  CHECK_THAT(effects[1].difference->mean.point, WithinAbs(1.5, 1e-12));
  CHECK_THAT(effects[1].difference->p, WithinAbs(.121689934346, 1e-10));
  CHECK(effects[2].level == 2);
  CHECK_THAT(effects[2].difference->mean.point, WithinAbs(-1, 1e-12));
  CHECK_THAT(effects[2].difference->p_holm, WithinAbs(3 * .0741799002274, 1e-10));
}

TEST_CASE("factors that undo each other have no main effect, and a wide range") {
  // By hand: +1 and -1, which average to 0.
  const auto effects = main_effects(Levels{2, 2}, Cells{{0, 1, 2}, {1, 2, 3}, {1, 2, 3}, {0, 1, 2}}, .05);
  for (const auto& effect : effects) {
    CHECK(effect.difference->mean.point == 0);
    CHECK(effect.least == -1);
    CHECK(effect.largest == 1);
  }
}

TEST_CASE("three factors of different sizes are matched cell by cell") {
  // The score of a cell is 100 a + 10 b + c, so the effects are 100, 10, 20 and 1, 2, 3 with no spread but rounding.
  Cells cells;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 4; ++c) cells.push_back(std::vector<double>(2, 100.0 * a + 10.0 * b + c));
  std::vector<double> found;
  for (const auto& effect : main_effects(Levels{2, 3, 4}, cells, .05)) found.push_back(effect.difference->mean.point);
  CHECK(found == std::vector<double>{100, 10, 20, 1, 2, 3});
}

TEST_CASE("a grid that is not full is refused") {
  CHECK_THROWS_AS(main_effects(Levels{2, 2}, Cells{{1, 2}, {1, 2}, {1, 2}}, .05), InvalidInput);
  CHECK_THROWS_AS(main_effects(Levels{1, 2}, Cells{{1, 2}, {1, 2}}, .05), InvalidInput);
  CHECK_THROWS_AS(main_effects(Levels{2}, Cells{{1, 2}, {1}}, .05), InvalidInput);
}

}  // namespace retrial::tests::main_effects_tests
