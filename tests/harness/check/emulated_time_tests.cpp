#include "harness/check/emulated_time.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::emulated_time_tests {

using harness::EmulatedTime;

namespace {

EmulatedTime::Clock::time_point clock{std::chrono::hours(1)};

void pass(int seconds) {
  clock += std::chrono::seconds(seconds);
}

}  // namespace

TEST_CASE("the time left is the time per trial so far, for the trials left") {
  EmulatedTime time(4, [] { return clock; });
  CHECK(time.left().empty());
  time.advanced(0);
  pass(60);
  CHECK(time.left() == ", 1 min 00 s so far");
  // After 60 s a quarter of the first trial is done: 240 s for one, 4 * 240 - 60 left.
  time.advanced(.25);
  CHECK(time.left() == ", about 15 min 00 s left for emulated trials");
  pass(120);
  time.finished(1);  // 180 s each, 3 left
  CHECK(time.left() == ", about 9 min 00 s left for emulated trials");
  time.finished(3);
  CHECK(time.left().empty());
}

}  // namespace retrial::tests::emulated_time_tests
