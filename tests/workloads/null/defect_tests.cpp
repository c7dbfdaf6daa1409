// The planted defects are the negative controls of every check of determinism: each must show, and only where it says.
#include <sstream>

#include "tests/catch.hpp"
#include "tests/workloads/interface/log_recorder.hpp"

namespace retrial::tests::defect_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

Trial with_defect(const std::string& defect, const Values& more = {}) {
  Values values{{"defect", defect}, {"epochs", std::int64_t{4}}};
  values.insert(more.begin(), more.end());
  return trial_of("null", values);
}

/// Saved and loaded into a new run at every boundary.
LogRecorder run_interrupted(const Trial& trial) {
  LogRecorder log;
  auto run = find_start("null")(trial, {});
  while (run->advance(log)) {
    std::stringstream checkpoint;
    run->save(checkpoint);
    run = find_start("null")(trial, {});
    run->load(checkpoint);
  }
  return log;
}

std::int64_t first_difference(const LogRecorder& a, const LogRecorder& b) {
  for (std::size_t i = 0; i < a.digests.size(); ++i)
    if (a.digests[i] != b.digests.at(i)) return a.digests[i].step;
  return -2;
}

}  // namespace

TEST_CASE("without a defect two runs agree to the bit, interrupted or not") {
  const auto trial = with_defect("none", {{"items", std::int64_t{50}}, {"dropout", 0.3}});
  const auto once = run_to_end(trial);
  CHECK(same_bits(once, run_to_end(trial)));
  CHECK(same_bits(once, run_interrupted(trial)));
}

TEST_CASE("an unseeded draw makes two runs differ from the epoch it says") {
  for (const std::int64_t at : {0, 2, 3}) {
    const auto trial = with_defect("unseeded", {{"defect_at", at}});
    const auto a = run_to_end(trial), b = run_to_end(trial);
    CHECK(first_difference(a, b) == at);
    CHECK(a.final_value("score") != b.final_value("score"));
  }
}

TEST_CASE("state lost in a checkpoint shows only when there is one") {
  const auto trial = with_defect("resume");
  CHECK(same_bits(run_to_end(trial), run_to_end(trial)));
  CHECK(first_difference(run_to_end(trial), run_interrupted(trial)) == 1);
}

TEST_CASE("what a process ran before shows in the order defect and nowhere else") {
  const auto trial = with_defect("order");
  const auto a = run_to_end(trial);
  CHECK_FALSE(same_bits(a, run_to_end(trial)));
}

TEST_CASE("a dead key changes nothing, and is alive without the defect") {
  const Values other{{"effect", 5.0}};
  CHECK(same_bits(run_to_end(with_defect("dead_key")), run_to_end(with_defect("dead_key", other))));
  CHECK_FALSE(same_bits(run_to_end(with_defect("none")), run_to_end(with_defect("none", other))));
}

TEST_CASE("a dead source changes nothing, and is alive without the defect") {
  for (const std::string defect : {"dead_source", "none"}) {
    auto trial = with_defect(defect);
    const auto before = run_to_end(trial);
    trial.seeds.at("data-order") += 1;
    CHECK(same_bits(before, run_to_end(trial)) == (defect == "dead_source"));
    trial.seeds.at("init") += 1;
    CHECK_FALSE(same_bits(before, run_to_end(trial)));
  }
}

TEST_CASE("a file that is not a checkpoint is refused") {
  const auto run = find_start("null")(with_defect("none"), {});
  for (const std::string text : {"", "nonsense", "1 2 3 4 5", "1 00000000000000ff"}) {
    std::istringstream from(text);
    CHECK_THROWS_AS(run->load(from), TrialFailure);
  }
}

}  // namespace retrial::tests::defect_tests
