// Recordings by hand: what is closed, clamped, refused.
#include "workloads/profiler/timeline/timeline.hpp"

#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::profiler_timeline_tests {

using namespace retrial;
using namespace retrial::profiler;

namespace {

/// One tick is one nanosecond; the region begins at 100.
Recording recording(std::vector<Event> events) {
  return {.process = "program",
          .clock = {{0, 0}, {1000, 1000}},
          .names = {"a", "b"},
          .regions = {{.phase = "phase", .begin = 100, .end = 200, .lane = 0}},
          .lanes = {{.name = "thread 0", .events = std::move(events)}}};
}

}  // namespace

TEST_CASE("times count from the begin of the region") {
  const Timeline t = timeline_of(recording({{120, 0, 0, EventKind::operation_begin, Category::app, 0},
                                            {150, 0, 0, EventKind::operation_end, Category::app, 0}}));
  REQUIRE(t.operations.size() == 1);
  CHECK(t.operations[0].start == 20);
  CHECK(t.operations[0].end == 50);
  CHECK(t.wall() == 100);
}

TEST_CASE("an interval without an end is closed where the trace ends, and flagged") {
  const Timeline t = timeline_of(recording({{120, 0, 0, EventKind::operation_begin, Category::app, 0},
                                            {130, 0, 1, EventKind::operation_begin, Category::app, 0},
                                            {150, 0, 1, EventKind::operation_end, Category::app, 0}}));
  CHECK(t.operations[0].end == 50);
  CHECK(t.operations[0].open);
  CHECK(t.faults.open == 1);
}

TEST_CASE("a time that goes backwards is clamped and counted") {
  const Timeline t = timeline_of(recording({{120, 0, 0, EventKind::operation_begin, Category::app, 0},
                                            {119, 0, 0, EventKind::operation_end, Category::app, 0}}));
  CHECK(t.operations[0].length() == 0);
  CHECK(t.faults.clamped == 1);
}

TEST_CASE("an end that fits no begin is refused with name, lane and times") {
  CHECK_THROWS_WITH(timeline_of(recording({{120, 0, 0, EventKind::operation_begin, Category::app, 0},
                                           {150, 0, 1, EventKind::operation_end, Category::app, 0}})),
                    has_text("thread 0") && has_text("b = 50 ns") && has_text("'a' at 20 ns"));
  CHECK_THROWS_WITH(timeline_of(recording({{150, 0, 1, EventKind::layer_end, Category::backend, 0}})),
                    has_text("no begin"));
}

}  // namespace retrial::tests::profiler_timeline_tests
