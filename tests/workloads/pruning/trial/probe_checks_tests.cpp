// Each check that the probe of pruning asks of numbers, on a planted defect and on its sound twin.
#include "tests/catch.hpp"
#include "workloads/interface/declaration.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/pruning/trial/probe_checks.hpp"

namespace retrial::tests::trial_probe_checks_tests {

using namespace retrial;

namespace {

using Floats = std::vector<float>;
using Bytes = std::vector<std::uint8_t>;

}  // namespace

TEST_CASE("a pruned network that guesses, of a parent that does not, has collapsed to chance") {
  // 10 classes, 400 images: chance is 40 right, three deviations 18.
  const auto found = pruning::check_chance("answers", 40, 350, 400, 10);
  REQUIRE(found);
  CHECK(found->kind == "chance-collapse");
  CHECK_THAT(found->compared, has_text("50 of 400 correct answers, the parent gave 360 of 400"));
  CHECK_FALSE(pruning::check_chance("answers", 40, 340, 400, 10));   // 60 right are more than chance
  CHECK_FALSE(pruning::check_chance("answers", 360, 360, 400, 10));  // the parent guessed already
}

TEST_CASE("a rewinding that brings other weights back is found, and the right ones are not") {
  CHECK(pruning::check_rewound("weights", "aa", "ab")->kind == "rewind-ignored");
  CHECK_FALSE(pruning::check_rewound("weights", "aa", "aa"));
}

TEST_CASE("a mask holds when masked weights are 0 and stay masked") {
  CHECK_FALSE(pruning::check_masked("fc1", Floats{0, 5, -0.0F}, Bytes{0, 1, 0}));
  const auto leaks = pruning::check_masked("fc1", Floats{1e-30F, 5, 0}, Bytes{0, 1, 0});
  CHECK(leaks->kind == "mask-not-applied");
  CHECK(leaks->subject == "layer fc1");
  CHECK_THAT(leaks->compared, has_text("1 of 2 masked weights"));
  CHECK_FALSE(pruning::check_never_revived("fc1", Bytes{1, 0, 1}, Bytes{0, 0, 1}));
  CHECK(pruning::check_never_revived("fc1", Bytes{1, 0, 1}, Bytes{1, 1, 1})->kind == "mask-revived");
}

TEST_CASE("a ratio is met within one weight") {
  CHECK_FALSE(pruning::check_ratio(0.8, 13619, 17024));  // round(.8 * 17024)
  CHECK_FALSE(pruning::check_ratio(0.8, 13620, 17024));  // .8 more than asked
  CHECK(pruning::check_ratio(0.8, 13621, 17024)->kind == "ratio-missed");
  CHECK(pruning::check_ratio(0.5, 8, 12));  // 66.7 % kept where 50 % were asked, by ties
}

TEST_CASE("every addition of the audit is a probe that check --liveness lists") {
  std::vector<std::string> names;
  for (const auto& probe : workloads::find_workload("pruning", "").probes) names.push_back(probe.name);
  CHECK(names == std::vector<std::string>{"mask-not-applied", "mask-revived", "ratio-missed", "score-ignores-data",
                                          "rewind-ignored", "chance-collapse"});
}

}  // namespace retrial::tests::trial_probe_checks_tests
