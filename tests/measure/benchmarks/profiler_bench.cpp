// Annotations against the two readings of the clock that they cannot do without, and the sweep against the usual way:
// sort all endpoints, then walk them with maps, to the same sets, pieces and
// transitions.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <vector>

#include "variance/random/rng.hpp"
#include "workloads/profiler/overlap/sweep.hpp"
#include "workloads/profiler/recording/annotation.hpp"

namespace retrial::tests::profiler_bench {

namespace {

using namespace retrial;
using profiler::ClockSource, profiler::Interval, profiler::SweepKey;

ClockSource source_of(const benchmark::State& state) {
  return state.range(0) == 1 ? profiler::clock_source(std::nullopt) : ClockSource::monotonic;
}

void two_clock_reads(benchmark::State& state) {
  const ClockSource source = source_of(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(profiler::ticks_of(source));
    benchmark::DoNotOptimize(profiler::ticks_of(source));
  }
}

/// Recorded in stretches that fit the memory, so that none is dropped.
void annotation(benchmark::State& state) {
  constexpr int stretch = 1 << 20;
  int left = 0;
  const auto begin = [&] {
    profiler::start_recording({.source = source_of(state), .cap_bytes = std::uint64_t{1} << 27U});
    left = stretch;
  };
  begin();
  for (auto _ : state) {
    RETRIAL_OPERATION("work");
    if (--left == 0) {
      state.PauseTiming();
      static_cast<void>(profiler::stop_recording());
      begin();
      state.ResumeTiming();
    }
  }
  static_cast<void>(profiler::stop_recording());
}

void annotation_off(benchmark::State& state) {
  for (auto _ : state) RETRIAL_OPERATION("work");
}

/// What a predicted branch costs in a loop that does nothing else.
void branch(benchmark::State& state) {
  bool off = false;
  benchmark::DoNotOptimize(off);
  for (auto _ : state) {
    bool now = off;
    benchmark::DoNotOptimize(now);
    if (now) [[unlikely]]
      state.SkipWithError("never");
  }
}

/// Keys of nested and serial intervals, as operations and layers are: `events` endpoints in all.
std::vector<SweepKey> keys_of(std::int64_t keys, std::int64_t events) {
  std::vector<SweepKey> out(static_cast<std::size_t>(keys));
  variance::Stream draws(variance::derive(1, "profiler-bench"));
  for (SweepKey& key : out) {
    std::int64_t t = 0;
    for (std::int64_t i = 0; i < events / 2 / keys; ++i) {
      const std::int64_t start = t + static_cast<std::int64_t>(variance::bounded(draws.next(), 1000));
      t = start + 1 + static_cast<std::int64_t>(variance::bounded(draws.next(), 1000));
      key.intervals.push_back({start, t});
    }
  }
  return out;
}

constexpr std::int64_t swept_events = 1'000'000;

void rate(benchmark::State& state) {
  state.counters["events/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(swept_events), benchmark::Counter::kIsRate);
}

void sweep(benchmark::State& state) {
  const auto keys = keys_of(state.range(0), swept_events);
  for (auto _ : state) benchmark::DoNotOptimize(profiler::sweep(keys));
  rate(state);
}

void sort_then_sweep(benchmark::State& state) {
  struct Endpoint {
    std::int64_t at;
    std::uint32_t key;
    int step;
  };
  const auto keys = keys_of(state.range(0), swept_events);
  for (auto _ : state) {
    std::vector<Endpoint> endpoints;
    for (std::uint32_t k = 0; k < keys.size(); ++k)
      for (const Interval& i : keys[k].intervals)
        endpoints.push_back({i.start, k, 1}), endpoints.push_back({i.end, k, -1});
    std::ranges::sort(endpoints, {}, &Endpoint::at);
    std::map<std::uint64_t, profiler::SetTime> sets;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> moves;
    std::vector<int> counts(keys.size());
    std::uint64_t set = 0, piece = 0, previous = 0;
    std::int64_t last = 0;
    for (const Endpoint& e : endpoints) {
      if (e.at > last && set != 0) {
        profiler::SetTime& time = sets.try_emplace(set, profiler::SetTime{0, last, last, 0}).first->second;
        time.total += static_cast<std::uint64_t>(e.at - last);
        time.last = e.at;
        if (piece != set) {
          ++time.pieces;
          if (previous != 0) ++moves[{previous, set}];
          previous = set;
        }
      }
      if (e.at > last) piece = set;
      last = e.at;
      counts[e.key] += e.step;
      const std::uint64_t bit = std::uint64_t{1} << e.key;
      set = counts[e.key] > 0 ? set | bit : set & ~bit;
    }
    benchmark::DoNotOptimize(moves);
    benchmark::DoNotOptimize(sets);
  }
  rate(state);
}

BENCHMARK(two_clock_reads)->Name("profiler/two_clock_reads")->ArgName("tsc")->Arg(0)->Arg(1);
BENCHMARK(annotation)->Name("profiler/annotation")->ArgName("tsc")->Arg(0)->Arg(1);
BENCHMARK(annotation_off)->Name("profiler/annotation_off");
BENCHMARK(branch)->Name("profiler/branch");
BENCHMARK(sweep)->Name("profiler/sweep")->ArgName("keys")->Arg(3)->Arg(8)->Arg(16)->Unit(benchmark::kMillisecond);
BENCHMARK(sort_then_sweep)
    ->Name("profiler/sort_then_sweep")
    ->ArgName("keys")
    ->Arg(3)
    ->Arg(8)
    ->Arg(16)
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace retrial::tests::profiler_bench
