// Expected values: section 24.1 (R-OV-5 to R-OV-7 and its edge rules), and an oracle that looks at every nanosecond.
#include "workloads/profiler/overlap/sweep.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::profiler_sweep_tests {

using namespace retrial;
using profiler::Interval, profiler::Overlap, profiler::Set, profiler::SweepKey;

namespace {

using Keys = std::vector<SweepKey>;

std::string letters(const Set& set, const Keys& keys) {
  std::string out;
  for (const auto key : set) out += keys[key].name;
  return out;
}

/// "HS 3, S 22 | HS>S 1": total of each set, then transitions.
std::string text_of(const Keys& keys) {
  const Overlap overlap = profiler::sweep(keys);
  std::string out;
  for (const auto& [set, time] : overlap.sets)
    out += (out.empty() ? "" : ", ") + letters(set, keys) + " " + std::to_string(time.total);
  std::string moves;
  std::vector<std::string> names;
  for (const auto& [set, time] : overlap.sets) names.push_back(letters(set, keys));
  for (const auto& [from, to, count] : overlap.transitions)
    moves += (moves.empty() ? "" : ", ") + names[from] + ">" + names[to] + " " + std::to_string(count);
  return out + " | " + moves;
}

std::uint64_t pieces(const Overlap& overlap) {
  std::uint64_t sum = 0;
  for (const auto& [set, time] : overlap.sets) sum += time.pieces;
  return sum;
}

profiler::SetTime time_of(const Keys& keys, const Set& set) {
  return profiler::sweep(keys).sets.at(set);
}

/// Which keys are active in each nanosecond, by looking at every interval; then sets, pieces and transitions from that.
Overlap by_looking(const Keys& keys, std::int64_t end) {
  Overlap out;
  std::map<std::pair<Set, Set>, std::uint64_t> transitions;
  Set last, previous;
  for (std::int64_t t = 0; t < end; ++t) {
    Set now;
    for (std::uint32_t k = 0; k < keys.size(); ++k)
      for (const Interval& i : keys[k].intervals)
        if (i.start <= t && t < i.end) {
          now.push_back(k);
          break;
        }
    if (!now.empty()) {
      profiler::SetTime& time = out.sets.try_emplace(now, profiler::SetTime{0, t, t, 0}).first->second;
      ++time.total;
      time.last = t + 1;
      if (now != last) {
        ++time.pieces;
        if (!previous.empty()) ++transitions[{previous, now}];
        previous = now;
      }
    }
    last = now;
  }
  const auto place = [&](const Set& set) {
    return static_cast<std::uint32_t>(std::distance(out.sets.begin(), out.sets.find(set)));
  };
  for (const auto& [move, count] : transitions)
    out.transitions.push_back({place(move.first), place(move.second), count});
  std::ranges::sort(out.transitions);
  return out;
}

Keys random_keys(variance::Stream& draws, std::uint64_t most_keys) {
  Keys keys(1 + variance::bounded(draws.next(), most_keys));
  for (SweepKey& key : keys) {
    const std::uint64_t n = variance::bounded(draws.next(), 6);
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto start = static_cast<std::int64_t>(variance::bounded(draws.next(), 30));
      key.intervals.push_back({start, start + static_cast<std::int64_t>(variance::bounded(draws.next(), 10))});
    }
  }
  return keys;
}

/// Changes that must not change the result: an interval in two parts, keys of which intervals come in another order.
Keys rewritten(Keys keys, variance::Stream& draws) {
  for (SweepKey& key : keys) {
    std::vector<Interval> parts;
    for (const Interval& i : key.intervals) {
      const auto cut = i.start + static_cast<std::int64_t>(variance::bounded(draws.next(), i.length() + 1));
      parts.insert(parts.begin(), {i.start, cut});
      parts.push_back({cut, i.end});
    }
    key.intervals = parts;
  }
  return keys;
}

std::uint64_t sum_of(const Overlap& overlap, std::optional<std::uint32_t> with = std::nullopt) {
  std::uint64_t sum = 0;
  for (const auto& [set, time] : overlap.sets)
    if (!with || std::ranges::find(set, *with) != set.end()) sum += time.total;
  return sum;
}

void demand_agreement(std::uint64_t traces) {
  variance::Stream draws(variance::derive(2102'04285, "sweep"));
  for (std::uint64_t trial = 0; trial < traces; ++trial) {
    const Keys keys = random_keys(draws, trial % 4 == 0 ? 12 : 5);
    const Overlap overlap = profiler::sweep(keys);
    CAPTURE(trial);
    REQUIRE(overlap == by_looking(keys, 40));
    REQUIRE(overlap == profiler::sweep(rewritten(keys, draws)));
    std::vector<Interval> all;
    std::uint64_t count = 0;
    for (std::uint32_t k = 0; k < keys.size(); ++k) {
      REQUIRE(sum_of(overlap, k) == profiler::measure(keys[k].intervals));
      all.insert(all.end(), keys[k].intervals.begin(), keys[k].intervals.end());
      for (const Interval& i : keys[k].intervals) count += i.length() > 0 ? 1 : 0;
    }
    REQUIRE(sum_of(overlap) == profiler::measure(all));
    REQUIRE(pieces(overlap) <= (count == 0 ? 0 : 2 * count - 1));
  }
}

const Keys self_overlapping{
    {"H", {{0, 3}, {30, 40}}}, {"S", {{0, 10}, {5, 15}, {14, 30}}}, {"T", {{3, 7}, {3, 7}, {29, 31}}}};

}  // namespace

TEST_CASE("intervals of one key that overlap each other count once: streams, threads") {
  CHECK(text_of(self_overlapping) == "H 9, HS 3, HT 1, S 22, ST 5 | HS>ST 1, HT>H 1, S>ST 1, ST>HT 1, ST>S 1");
  CHECK(pieces(profiler::sweep(self_overlapping)) == 6);
  CHECK(time_of(self_overlapping, {1, 2}) == profiler::SetTime{5, 3, 30, 2});
  CHECK(time_of(self_overlapping, {1}) == profiler::SetTime{22, 7, 29, 1});
  CHECK(text_of({{"A", {{0, 10}, {5, 15}}}}) == "A 15 | ");
}

TEST_CASE("ends and starts at one time, and empty intervals, are no pieces of their own") {
  const Keys keys{{"X", {{0, 10}, {5, 15}}}, {"Y", {{5, 5}, {10, 20}}}, {"Z", {{0, 5}, {5, 9}, {15, 20}}}};
  CHECK(text_of(keys) == "X 1, XY 5, XZ 9, YZ 5 | X>XY 1, XY>YZ 1, XZ>X 1");
  CHECK(pieces(profiler::sweep(keys)) == 4);
  CHECK(text_of({{"A", {{0, 5}, {5, 9}}}}) == text_of({{"A", {{0, 9}}}}));
  CHECK(text_of({{"A", {{4, 4}}}}) == " | ");
  CHECK(text_of({}) == " | ");
  CHECK(text_of({{"A", {{2, 6}}}, {"B", {{2, 6}}}}) == "AB 4 | ");
}

TEST_CASE("four keys: totals, pieces, spans and transitions") {
  const Keys keys{
      {"A", {{0, 4}, {4, 8}, {12, 16}}}, {"B", {{2, 6}, {6, 10}, {14, 18}}}, {"C", {{4, 12}}}, {"D", {{0, 18}}}};
  CHECK(text_of(keys) ==
        "ABCD 4, ABD 4, AD 4, BCD 2, BD 2, CD 2 | ABCD>BCD 1, ABD>ABCD 1, ABD>BD 1, AD>ABD 2, BCD>CD 1, CD>AD 1");
  CHECK(pieces(profiler::sweep(keys)) == 8);
  CHECK(time_of(keys, {0, 3}) == profiler::SetTime{4, 0, 14, 2});
  CHECK(time_of(keys, {0, 1, 3}) == profiler::SetTime{4, 2, 16, 2});
}

TEST_CASE("the same set again after a gap is a transition to itself") {
  CHECK(text_of({{"A", {{0, 2}, {5, 6}}}}) == "A 3 | A>A 1");
}

TEST_CASE("65 and 1000 keys, all open at once and one after the other") {
  for (const std::uint32_t n : {65U, 1000U}) {
    Keys nested(n), serial(n);
    for (std::uint32_t k = 0; k < n; ++k) {
      nested[k].intervals = {{k, 2 * n - k}};
      serial[k].intervals = {{10 * k, 10 * k + 10}};
    }
    const Overlap all = profiler::sweep(nested), each = profiler::sweep(serial);
    CHECK(all.sets.size() == n);
    Set everyone(n);
    for (std::uint32_t k = 0; k < n; ++k) everyone[k] = k;
    CHECK(all.sets.at(everyone).total == 2);
    CHECK(each.sets.size() == n);
    CHECK(each.transitions.size() == n - 1);
    CHECK(each.sets.at({n - 1}) == profiler::SetTime{10, 10 * (n - 1), 10 * n, 1});
  }
}

TEST_CASE("intervals of 100 ns that add up to 1 ms measure 1 ms") {
  SweepKey key{"kernel", {}};
  for (std::int64_t i = 0; i < 10'000; ++i) key.intervals.push_back({i * 317, i * 317 + 100});
  CHECK(time_of({key}, {0}).total == 1'000'000);
}

TEST_CASE(
    "an interval that ends before it starts, and a list that is not sorted as it says, are refused with their place") {
  CHECK_THROWS_WITH(profiler::sweep(Keys{{"gpu", {{0, 1}, {9, 4}}}}), has_text("gpu[1]") && has_text("9 to 4 ns"));
  CHECK_THROWS_WITH(profiler::sweep(Keys{{"gpu", {{5, 6}, {2, 3}}, true}}), has_text("sorted"));
  CHECK_NOTHROW(profiler::sweep(Keys{{"gpu", {{5, 6}, {2, 3}}}}));
}

TEST_CASE("a counter that is fed event by event holds sets, not events") {
  profiler::OverlapCounter counter(2);
  std::int64_t t = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    counter.advance(t), counter.start(0);
    counter.advance(t + 3), counter.start(1);
    counter.advance(t + 5), counter.end(0), counter.end(1);
    t += 10;
  }
  CHECK(counter.sets() == 2);
  const Overlap overlap = counter.finish();
  CHECK(overlap.sets.at({0}).total == 3'000'000);
  CHECK(overlap.sets.at({0, 1}).total == 2'000'000);
}

TEST_CASE("random traces agree with looking at every nanosecond") {
  const char* const asked = std::getenv("RETRIAL_SWEEP_TRACES");  // 1000000 for the whole check: minutes
  demand_agreement(asked == nullptr ? 20'000 : results::parse_u64(asked).value());
}

}  // namespace retrial::tests::profiler_sweep_tests
