// Expected values: section 24.1 (R-OV-1, R-OV-8) of the specification of the profiler.
#include "workloads/profiler/overlap/flatten.hpp"

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/profiler/overlap/sweep.hpp"

namespace retrial::tests::profiler_flatten_tests {

using namespace retrial;
using profiler::Interval, profiler::Segment;

namespace {

/// "0 [0,5); 1 [5,10)".
std::string text_of(const std::vector<Interval>& intervals) {
  std::string out;
  for (const Segment& s : profiler::flatten(intervals))
    out += (out.empty() ? "" : "; ") + std::to_string(s.source) + " [" + std::to_string(s.start) + "," +
           std::to_string(s.end) + ")";
  return out;
}

/// The innermost interval of each instant, by looking at all of them: ends first, then starts last, then opened last.
std::vector<std::size_t> by_looking(const std::vector<Interval>& intervals, std::int64_t end) {
  std::vector<std::size_t> out;
  for (std::int64_t t = 0; t < end; ++t) {
    std::size_t inner = intervals.size();
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      if (!(intervals[i].start <= t && t < intervals[i].end)) continue;
      if (inner == intervals.size() || intervals[i].end < intervals[inner].end ||
          (intervals[i].end == intervals[inner].end && intervals[i].start >= intervals[inner].start))
        inner = i;
    }
    out.push_back(inner);
  }
  return out;
}

}  // namespace

TEST_CASE("the innermost operation has the time: train, step, inference, simulation, backprop") {
  CHECK(text_of({{0, 100}, {5, 60}, {10, 30}, {30, 50}, {60, 95}}) ==
        "0 [0,5); 1 [5,10); 2 [10,30); 3 [30,50); 1 [50,60); 4 [60,95); 0 [95,100)");
}

TEST_CASE("operations that begin or end together nest by the later start and the later opening") {
  CHECK(text_of({{0, 10}, {4, 10}}) == "0 [0,4); 1 [4,10)");
  CHECK(text_of({{0, 10}, {0, 4}}) == "1 [0,4); 0 [4,10)");
  CHECK(text_of({{0, 10}, {2, 8}, {3, 8}, {8, 9}}) == "0 [0,2); 1 [2,3); 2 [3,8); 3 [8,9); 0 [9,10)");
  CHECK(text_of({{3, 8}, {3, 8}}) == "1 [3,8)");
}

TEST_CASE("an operation of length zero has no effect, and none gives none") {
  CHECK(text_of({{0, 10}, {4, 4}}) == "0 [0,10)");
  CHECK(text_of({}).empty());
  CHECK(text_of({{7, 7}}).empty());
}

TEST_CASE("flattening agrees with looking at every instant, and adds up to the union, nested or not") {
  variance::Stream draws(variance::derive(7, "flatten"));
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Interval> intervals;
    const std::uint64_t n = variance::bounded(draws.next(), 8);
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto start = static_cast<std::int64_t>(variance::bounded(draws.next(), 20));
      intervals.push_back({start, start + static_cast<std::int64_t>(variance::bounded(draws.next(), 12))});
    }
    std::vector<std::size_t> seen(40, intervals.size());
    std::uint64_t sum = 0;
    for (const Segment& s : profiler::flatten(intervals)) {
      for (std::int64_t t = s.start; t < s.end; ++t) seen[static_cast<std::size_t>(t)] = s.source;
      sum += s.length();
    }
    REQUIRE(sum == profiler::measure(intervals));
    bool nested = true;
    for (const Interval& a : intervals)
      for (const Interval& b : intervals) nested &= !(a.start < b.start && b.start < a.end && a.end < b.end);
    if (nested) REQUIRE(seen == by_looking(intervals, 40));
  }
}

}  // namespace retrial::tests::profiler_flatten_tests
