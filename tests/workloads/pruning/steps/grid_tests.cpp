// Expected values: the specification's reference values for grids, and arithmetic on them.
#include <cmath>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/pruning/steps/grid.hpp"

namespace retrial::tests::grid_tests {

using namespace retrial;

namespace {

std::vector<long> kept(const std::vector<double>& ratios, double weights) {
  std::vector<long> counts;
  for (const double ratio : ratios) counts.push_back(std::lround(ratio * weights));
  return counts;
}

void check_close(const std::vector<double>& got, const std::vector<double>& expected, double tolerance) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]).margin(tolerance).epsilon(0));
}

std::string refused(const std::string& text) {
  try {
    (void)pruning::grid(text);
  } catch (const Error& wrong) {
    CHECK(wrong.text.exit == Exit::usage);
    return wrong.what();
  }
  return "";
}

}  // namespace

TEST_CASE("levels take the same share of what is left") {
  check_close(pruning::grid("levels(.2, 5)"), {.8, .64, .512, .4096, .32768}, 1e-15);
  CHECK(pruning::grid("levels(.2, 10)").back() == Approx(0.1073741824).epsilon(1e-10));
}

TEST_CASE("the grid of tier 0 keeps the published numbers of 17,024 weights") {
  const auto counts = kept(pruning::grid(pruning::tier0_grid), 17024);
  REQUIRE(counts.size() == 14);
  CHECK(std::vector<long>(counts.begin(), counts.begin() + 5) == std::vector<long>{13619, 10214, 7661, 5746, 4309});
  CHECK(std::vector<long>(counts.begin() + 10, counts.end()) == std::vector<long>{767, 575, 431, 324});
}

TEST_CASE("every third of the 69 published ratios of ResNet-20 gives the 23 prune ratios of its networks") {
  const auto ratios = pruning::grid(pruning::resnet20_grid);
  CHECK(ratios.size() == 69);
  std::vector<double> pr;
  for (const double ratio : pruning::retrained(ratios, 3)) pr.push_back(1 - ratio);
  check_close(pr, {.15,  .224, .292, .354, .41,  .462, .508, .551, .591, .626, .659, .689,
                   .716, .741, .763, .784, .803, .82,  .836, .85,  .896, .938, .98},
              .0005);
  CHECK(3 * (182 + 4 * pr.size() * 182) == 50778);  // epochs of one panel
}

TEST_CASE("the ends of geometric and linear grids are the numbers given") {
  const auto geometric = pruning::grid("geometric(58, .85, .15)"), linear = pruning::grid("linear(9, .132, .02)");
  CHECK(geometric.front() == .85);
  CHECK(geometric.back() == .15);
  CHECK(geometric[1] / geometric[0] == Approx(geometric[57] / geometric[56]).epsilon(1e-12));
  CHECK(linear.front() == .132);
  CHECK(linear.back() == .02);
  CHECK(linear[1] == Approx(.118).epsilon(1e-12));
  CHECK(pruning::grid("geometric(1, .5, .1)") == std::vector<double>{.5});
}

TEST_CASE("numbers are a grid as they are, and grids are joined") {
  CHECK(pruning::grid(" .8,.6 , .4 ") == std::vector<double>{.8, .6, .4});
  CHECK(pruning::grid("list(.8, .6)+ .4") == std::vector<double>{.8, .6, .4});
  CHECK(pruning::grid("1") == std::vector<double>{1});
}

TEST_CASE("a grid that does not decrease is refused with the two ratios") {
  CHECK(refused(".8, .4, .4") == "pruning.grid: 0.4 after 0.4; must decrease");
  CHECK(refused("linear(3, .9, .5) + .6") == "pruning.grid: 0.6 after 0.5; must decrease");
  CHECK(pruning::grid_problem(".8, .4, .4") == "0.4 after 0.4; must decrease");
  CHECK(pruning::grid_problem(pruning::resnet20_grid).empty());
}

TEST_CASE("keep ratios outside 0 to 1, no ratios and words are refused") {
  for (const char* text : {"1.5", "0", "-.5", "geometric(3, 1.2, .1)", "geometric(3, .5, 0)", "levels(0, 3)",
                           "levels(1, 3)", "powers(3, .5, 1)", "linear(3, .5, -.1)"})
    CHECK_THAT(refused(text), has_text("pruning.grid: "));
  CHECK_THAT(refused(""), has_text("has no keep ratio"));
  CHECK_THAT(refused(".8, x"), has_text("\"x\" is not a number"));
  CHECK_THAT(refused(".8, .6abc"), has_text("\".6abc\" is not a number"));
  CHECK_THAT(refused(".8,"), has_text("\"\" is not a number"));
  CHECK_THAT(refused("nan"), has_text("is no"));
  CHECK_THAT(refused("quadratic(3, .5, .1)"), has_text("is not a grid (allowed: geometric(n, max, min)"));
  CHECK_THAT(refused("linear(3, .5)"), has_text("has 2 numbers (allowed: 3)"));
  CHECK_THAT(refused("linear(3, .5, .1"), has_text("is not a grid"));
  CHECK_THAT(refused("linear(2.5, .5, .1)"), has_text("is not a number of steps"));
  CHECK_THAT(refused("linear(1e9, .5, .1)"), has_text("is not a number of steps (allowed: 1 to 10000)"));
  CHECK_THROWS_AS(pruning::retrained({}, 0), InvalidInput);
}

}  // namespace retrial::tests::grid_tests
