// Which rows are one process: by hand.
#include "harness/gate/suite_of_scores.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::suite_of_scores_tests {

using namespace retrial::harness;

TEST_CASE("runs with one name are all counted: those of a process are its repetitions", "[gate]") {
  ScoreTable table{.name = "t", .rows = {}};
  const auto add = [&](const char* variant, const char* process, double score) {
    table.add({.variant = table.called(variant),
               .pair = {},
               .cluster = table.called(process),
               .task = table.called("sort"),
               .metric = table.called("time"),
               .score = score});
  };
  for (const char* variant : {"base", "head"}) {
    add(variant, (std::string(variant) + "-1").c_str(), 1.0);
    add(variant, (std::string(variant) + "-1").c_str(), 1.5);
    add(variant, (std::string(variant) + "-2").c_str(), 2.0);
    add(variant, "", 3.0);
    add(variant, "", 3.0);  // without a process each row is one
  }
  const GateSuite suite = suite_of_scores(
      table, {.baseline = "base", .candidate = "head", .metrics = {}, .direction = variance::Direction::lower});
  REQUIRE(suite.claims.size() == 1);
  for (const auto& side : suite.claims[0].trials) {
    REQUIRE(side.size() == 4);
    CHECK(side[0].values == std::vector{1.0, 1.5});
    CHECK(side[1].values == std::vector{2.0});
    CHECK((side[2].values == std::vector{3.0} && side[3].values == std::vector{3.0}));
  }
}

}  // namespace retrial::tests::suite_of_scores_tests
