// Whether a study is worth going on with, by the first trial of each variant.
#include "harness/run/queue/first_trials.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::first_trials_tests {

using retrial::harness::FirstTrials;
using retrial::results::PlanEntry;
using retrial::results::Status;

namespace {

/// Trials of variants in this order, each with an identity of its own.
std::vector<PlanEntry> plan_of(const std::vector<std::string>& variants) {
  std::vector<PlanEntry> plan;
  for (const auto& variant : variants) {
    plan.push_back({.variant = variant});
    plan.back().identity[0] = static_cast<std::uint8_t>(plan.size());
  }
  return plan;
}

}  // namespace

TEST_CASE("the first trial of each variant is the one that comes first in the plan") {
  const auto plan = plan_of({"b", "a", "a", "b", "c"});
  CHECK(FirstTrials(plan).places() == std::vector<std::size_t>{1, 0, 4});
}

TEST_CASE("a study is hopeless only when all first trials fail with the same class") {
  const auto plan = plan_of({"a", "b", "b", "a"});
  FirstTrials firsts(plan);
  CHECK(firsts.unknown());
  CHECK_FALSE(firsts.failing());
  firsts.failed(plan[0], Status::failed, "command.exit: `x` exited with 1");
  CHECK(firsts.unknown());
  CHECK(firsts.failing());
  CHECK_FALSE(firsts.failed_alike());
  firsts.failed(plan[2], Status::failed, "command.exit: not the first trial of b");
  CHECK(firsts.unknown());
  firsts.failed(plan[1], Status::failed, "command.exit: `y` exited with 2");
  CHECK_FALSE(firsts.unknown());
  CHECK(firsts.failed_alike() == "command.exit");
}

TEST_CASE("another class of failure, or one trial that worked, lets a study go on") {
  const auto plan = plan_of({"a", "b"});
  FirstTrials differing(plan);
  differing.failed(plan[0], Status::failed, "command.exit: 1");
  differing.failed(plan[1], Status::failed, "command.no_metric: none");
  CHECK_FALSE(differing.unknown());
  CHECK_FALSE(differing.failed_alike());
  FirstTrials working(plan);
  working.failed(plan[0], Status::failed, "command.exit: 1");
  working.worked();
  CHECK_FALSE(working.unknown());
  CHECK_FALSE(working.failing());
  working.failed(plan[1], Status::failed, "command.exit: 1");
  CHECK_FALSE(working.failed_alike());
}

TEST_CASE("a failure without a class counts by its status, and an empty plan is not hopeless") {
  const auto plan = plan_of({"a"});
  FirstTrials firsts(plan);
  firsts.failed(plan[0], Status::killed, "");
  CHECK(firsts.failed_alike() == "killed");
  const std::vector<PlanEntry> none;
  CHECK_FALSE(FirstTrials(none).failed_alike());
}

}  // namespace retrial::tests::first_trials_tests
