// Progress lines of the workers of a run (section 9.1 of the specification of pruning).
#include "harness/run/progress_line.hpp"

#include "harness/worker/trial_recorder.hpp"
#include "tests/catch.hpp"

namespace retrial::progress_line_tests {
using namespace harness;

namespace {

TrialProgress trial(const std::string& text, double fraction, double elapsed_s) {
  return {"pruning/wt pair 3", {.job = 0, .fraction = fraction, .text = text, .elapsed_s = elapsed_s}};
}

}  // namespace

TEST_CASE("a worker's line has its trial, its progress, and the time left from a tenth on") {
  CHECK(worker_line(trial("step 5 of 8, PR 81.0 %, 97.5 % (parent 97.4)", .75, 12)) ==
        "pruning/wt pair 3: step 5 of 8, PR 81.0 %, 97.5 % (parent 97.4), 4 s left");
  CHECK(worker_line(trial("parent, epoch 1 of 20", .05, 12)) == "pruning/wt pair 3: parent, epoch 1 of 20");
  CHECK(worker_line(trial("", .4, 6)) == "pruning/wt pair 3: 40 %, 9 s left");
  CHECK(worker_line(trial("step 8 of 8", 1, 6)) == "pruning/wt pair 3: step 8 of 8");
}

TEST_CASE("trials of less than a second have no line, and no more than eight workers do") {
  RunProgress progress{.under_way = {trial("a", .5, .9), trial("b", .5, 1.5)}};
  CHECK(worker_lines(progress).size() == 1);
  progress.under_way.assign(20, trial("c", .5, 2));
  CHECK(worker_lines(progress).size() == 8);
}

TEST_CASE("lines are drawn over those before them, each within the width") {
  CHECK(redrawn(0, {"one"}, 10) == "\r\x1b[Jone");
  CHECK(redrawn(1, {"one", "two"}, 10) == "\r\x1b[Jone\ntwo");
  CHECK(redrawn(3, {"0123456789ab"}, 10) == "\r\x1b[2A\x1b[J0123456789");
}

TEST_CASE("the position of a run is sent with its progress and is not recorded") {
  std::vector<WorkerEvent> sent;
  TrialRecorder recorder({}, [&](const WorkerEvent& event) { sent.push_back(event); });
  const std::string before = encode(recorder.recorded(WorkerEvent::Kind::finished));
  recorder.standing("step 1 of 2\x1b[2J");
  CHECK(sent.empty());
  recorder.progress(.5);
  REQUIRE(sent.size() == 1);
  const WorkerEvent back = decode_event(encode(sent[0]));
  CHECK(back.fraction == .5);
  CHECK(back.text.starts_with("step 1 of 2"));
  CHECK(back.text.find('\x1b') == std::string::npos);
  CHECK(encode(recorder.recorded(WorkerEvent::Kind::finished)) == before);
  CHECK(recorder.state() == TrialRecorder({}, [](const WorkerEvent&) {}).state());
}

}  // namespace retrial::progress_line_tests
