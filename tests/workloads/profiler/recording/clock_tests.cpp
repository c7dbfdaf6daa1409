// The clock map by hand, and against the clock itself.
#include "workloads/profiler/recording/clock.hpp"

#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::profiler_clock_tests {

using namespace retrial;
using namespace retrial::profiler;

TEST_CASE("ticks become nanoseconds on the line through both pairs, rounded down, before and after them too") {
  const ClockMap map{{1000, 500}, {4000, 1500}};
  CHECK(map.ns(1000) == 500);
  CHECK(map.ns(4000) == 1500);
  CHECK(map.ns(1001) == 500);
  CHECK(map.ns(1003) == 501);
  CHECK(map.ns(999) == 499);
  CHECK(map.ns(7000) == 2500);
  CHECK(map.ticks(500) == 1000);
  CHECK(map.ticks(501) == 1003);
  CHECK(map.ticks(499) == 997);
  CHECK(map.ticks(2500) == 7000);
}

TEST_CASE("large readings lose no nanosecond") {
  const std::uint64_t tick = 0xF000'0000'0000'0000U, ns = 1'764'000'000'000'000'000U;
  const ClockMap map{{tick, ns}, {tick + 3'000'000'000'000, ns + 1'000'000'000'000}};
  CHECK(map.ns(tick + 2'999'999'999'997) == static_cast<std::int64_t>(ns + 999'999'999'999));
}

TEST_CASE("a clock that did not grow is refused") {
  CHECK_THROWS_AS((ClockMap{{5, 1}, {5, 2}}).check(), Error);
  CHECK_THROWS_AS((ClockMap{{5, 2}, {6, 1}}).check(), Error);
}

TEST_CASE("the time stamp counter is refused where the CPU does not promise it, and never chosen then") {
  CHECK(clock_source("monotonic") == ClockSource::monotonic);
  CHECK((clock_source(std::nullopt) == ClockSource::tsc) == has_invariant_tsc());
  CHECK_THROWS_WITH(clock_source("sundial"), has_text("unknown clock"));
  if (!has_invariant_tsc()) CHECK_THROWS_WITH(clock_source("tsc"), has_text("does not promise"));
}

TEST_CASE("the pair is read within a microsecond or so, and both clocks advance") {
  const ClockPair a = read_clock_pair(ClockSource::monotonic), b = read_clock_pair(ClockSource::monotonic);
  CHECK(b.ticks > a.ticks);
  CHECK(b.ns > a.ns);
}

}  // namespace retrial::tests::profiler_clock_tests
