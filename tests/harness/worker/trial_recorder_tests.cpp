// The artifacts of a trial that a worker hands over.
#include "harness/worker/trial_recorder.hpp"

#include <vector>

#include "results/digest/sha256.hpp"
#include "tests/catch.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::tests::trial_recorder_tests {

using namespace retrial;
using harness::TrialRecorder;
using harness::WorkerEvent;

TEST_CASE("an artifact larger than a row of a store is handed over whole, one too large for a line by its digest") {
  std::vector<WorkerEvent> sent;
  harness::TrialRecorder recorder({}, [&](const WorkerEvent& event) { sent.push_back(event); });
  const std::string table(200'000, 't'), huge((std::size_t{16} << 20) + 1, 'h');
  recorder.artifact("table", "json", table);
  CHECK(sent.empty());
  recorder.artifact("huge", "bin", huge);
  const auto event = recorder.recorded(WorkerEvent::Kind::finished);
  REQUIRE(event.artifacts.size() == 2);
  CHECK(event.artifacts[0].body == table);
  CHECK_FALSE(event.artifacts[1].body);
  CHECK(event.artifacts[1].digest == results::sha256(huge));
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].kind == WorkerEvent::Kind::warning);
  CHECK_THAT(sent[0].text, has_text("huge of 16777217 bytes is larger than 16 MiB"));
}

TEST_CASE("a run defines metrics where its declaration says so, each once, and a checkpoint keeps them") {
  const results::MetricDef sort{"sort:real_time", "ns", results::Direction::lower}, score{.name = "score"};
  const auto ignore = [](const WorkerEvent&) {};
  TrialRecorder closed({score}, ignore);
  CHECK_THROWS_AS(closed.define(sort), workloads::TrialFailure);
  CHECK_THROWS_AS(closed.metric(sort.name, 1, -1), workloads::TrialFailure);
  TrialRecorder open({score}, ignore, true);
  open.define(sort);
  open.metric(sort.name, 1, -1);
  CHECK_THROWS_AS(open.define(sort), workloads::TrialFailure);
  CHECK_THROWS_AS(open.define(score), workloads::TrialFailure);
  CHECK(open.recorded(WorkerEvent::Kind::finished).defs == std::vector{sort});
  TrialRecorder again({score}, ignore, true);
  again.restore(open.state());
  again.metric(sort.name, 2, 0);
  CHECK(again.recorded(WorkerEvent::Kind::finished).defs == std::vector{sort});
}

}  // namespace retrial::tests::trial_recorder_tests
