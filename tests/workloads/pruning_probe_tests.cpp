// What the probe of pruning asks of numbers, each on a planted defect and on its sound twin. The other checks of the
// audit (masks, ratios, scores) stand in probe_checks_tests.cpp.
#include "tests/catch.hpp"
#include "workloads/declaration.hpp"
#include "workloads/pruning/probe_checks.hpp"
#include "workloads/registry.hpp"

using namespace retrial;

TEST_CASE("a pruned network that guesses, of a parent that does not, has collapsed to chance") {
  // 10 classes, 400 images: chance is 40 right, three deviations 18.
  const auto found = prune::check_chance("answers", 40, 350, 400, 10);
  REQUIRE(found);
  CHECK(found->kind == "chance-collapse");
  CHECK_THAT(found->compared, has_text("50 of 400 right answers, the parent gave 360 of 400"));
  CHECK_FALSE(prune::check_chance("answers", 40, 340, 400, 10));   // 60 right are more than chance
  CHECK_FALSE(prune::check_chance("answers", 360, 360, 400, 10));  // the parent guessed already
}

TEST_CASE("a rewinding that brings other weights back is found, and the right ones are not") {
  CHECK(prune::check_rewound("weights", "aa", "ab")->kind == "rewind-ignored");
  CHECK_FALSE(prune::check_rewound("weights", "aa", "aa"));
}

TEST_CASE("every addition of the audit is a probe that check --liveness lists") {
  std::vector<std::string> names;
  for (const auto& probe : workloads::find_workload("pruning", "").probes) names.push_back(probe.name);
  CHECK(names == std::vector<std::string>{"mask-not-applied", "mask-revived", "ratio-missed", "score-ignores-data",
                                          "rewind-ignored", "chance-collapse"});
}
