// Hot paths of `variance`, one thread. Random123's Philox next to ours where its headers are installed.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "variance/components/reml.hpp"
#include "variance/random/rng.hpp"
#include "variance/verdict/verdict.hpp"

#if __has_include(<Random123/philox.h>)
#include <Random123/philox.h>
#define RETRIAL_HAS_RANDOM123 1
#endif

namespace retrial::tests::variance_bench {

namespace {

using namespace retrial::variance;

void per_item(benchmark::State& state, std::int64_t items, std::int64_t bytes = 0) {
  state.SetItemsProcessed(state.iterations() * items);
  if (bytes > 0) state.SetBytesProcessed(state.iterations() * items * bytes);
}

constexpr std::uint32_t count = 4096;

void philox_block(benchmark::State& state) {
  std::uint64_t key = 1;
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (std::uint32_t b = 0; b < count; ++b) {
      const auto words = block(key, 0, b);
      sum += words[0] ^ words[1];
    }
    benchmark::DoNotOptimize(sum);
    benchmark::DoNotOptimize(key);
  }
  per_item(state, count, 16);
}
BENCHMARK(philox_block);

#ifdef RETRIAL_HAS_RANDOM123
void random123_block(benchmark::State& state) {
  std::uint32_t low = 1;
  for (auto _ : state) {
    r123::Philox4x32 generate;
    std::uint64_t sum = 0;
    for (std::uint32_t b = 0; b < count; ++b) {
      const auto r = generate({{b, 0, 0, 0x77617264}}, {{low, 0}});
      sum += (r[0] | std::uint64_t{r[1]} << 32) ^ (r[2] | std::uint64_t{r[3]} << 32);
    }
    benchmark::DoNotOptimize(sum);
    benchmark::DoNotOptimize(low);
  }
  per_item(state, count, 16);
}
BENCHMARK(random123_block);
#endif

template <typename Convert>
void convert_words(benchmark::State& state, Convert&& convert) {
  Stream stream(7);
  for (auto _ : state)
    for (std::uint32_t i = 0; i < count; ++i) benchmark::DoNotOptimize(convert(stream.next()));
  per_item(state, count);
}

void draw_words(benchmark::State& state) {
  convert_words(state, [](std::uint64_t x) { return x; });
}
BENCHMARK(draw_words);
void draw_bounded(benchmark::State& state) {
  convert_words(state, [](std::uint64_t x) { return bounded(x, 29); });
}
BENCHMARK(draw_bounded);
void draw_normal(benchmark::State& state) {
  convert_words(state, [](std::uint64_t x) { return normal(x); });
}
BENCHMARK(draw_normal);
void draw_exponential(benchmark::State& state) {
  convert_words(state, [](std::uint64_t x) { return exponential(x); });
}
BENCHMARK(draw_exponential);

void draw_permutation(benchmark::State& state) {
  std::uint64_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(permutation(3, count, index++));
  per_item(state, count);
}
BENCHMARK(draw_permutation);

void paired_interval(benchmark::State& state) {
  std::int64_t wins = 0;
  for (auto _ : state) {
    wins = (wins + 1) % 30;
    benchmark::DoNotOptimize(win_interval({.wins = wins, .losses = 29 - wins}));
  }
}
BENCHMARK(paired_interval);

void bootstrap_law_with_ties(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  const PairedWin counts{.wins = n / 2, .ties = n / 4, .losses = n - n / 2 - n / 4};
  for (auto _ : state) benchmark::DoNotOptimize(bootstrap_win_exact(counts));
}
BENCHMARK(bootstrap_law_with_ties)->Arg(29)->Arg(1000);

void judge_pairs(benchmark::State& state) {
  PairedScores scores{.direction = Direction::higher};
  Stream stream(5);
  for (int i = 0; i < 42; ++i) {
    scores.candidate.emplace_back(normal(stream.next()) + .5);
    scores.baseline.emplace_back(normal(stream.next()));
  }
  const Design design{.candidate = "a", .baseline = "b", .metric = "m", .gamma = .75, .pairs = 42};
  for (auto _ : state) benchmark::DoNotOptimize(judge(scores, design));
}
BENCHMARK(judge_pairs);

/// A crossed table that lost a run in six, and its fit. The time of one replicate of the bootstrap is that of one fit.
void reml_replicate(benchmark::State& state) {
  const auto size = static_cast<std::uint32_t>(state.range(0));
  Stream stream(5);
  std::vector<double> rows(size), columns(size), scores;
  for (double& x : rows) x = 2 * normal(stream.next());
  for (double& x : columns) x = normal(stream.next());
  std::vector<Factor> factors{{.source = "a", .level = {}}, {.source = "b", .level = {}}};
  for (std::uint32_t i = 0; i < size; ++i)
    for (std::uint32_t j = 0; j < size; ++j) {
      if ((7 * i + j) % 6 == 0) continue;
      scores.push_back(rows[i] + columns[j] + .5 * normal(stream.next()));
      factors[0].level.push_back(i);
      factors[1].level.push_back(j);
    }
  const auto fit = reml(scores, factors);
  constexpr std::int64_t replicates = 100;
  std::uint64_t key = 0;
  for (auto _ : state) benchmark::DoNotOptimize(reml_replicates(fit, factors, ++key, replicates));
  per_item(state, replicates);
}
BENCHMARK(reml_replicate)->Arg(5)->Arg(16);

}  // namespace

}  // namespace retrial::tests::variance_bench
