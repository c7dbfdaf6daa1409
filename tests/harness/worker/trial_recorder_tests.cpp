// The artifacts of a trial that a worker hands over.
#include "harness/worker/trial_recorder.hpp"

#include <vector>

#include "results/digest/sha256.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::trial_recorder_tests {

using namespace retrial;
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

}  // namespace retrial::tests::trial_recorder_tests
