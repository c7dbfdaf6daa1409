// Resampling loops of `variance` and the plain way to write them, one thread, draws included in both.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "variance/bayes/bayes.hpp"
#include "variance/bootstrap/aggregate.hpp"
#include "variance/bootstrap/bootstrap.hpp"
#include "variance/random/rng.hpp"
#include "variance/ranks/dominance.hpp"
#include "variance/ranks/ranks.hpp"

namespace retrial::tests::resampling_bench {

namespace {

using namespace retrial::variance;

TaskScores normals(std::uint64_t key, std::size_t tasks, std::size_t runs) {
  TaskScores scores;
  Stream stream(key);
  for (std::size_t m = 0; m < tasks; ++m) {
    scores.tasks.emplace_back();
    for (std::size_t i = 0; i < runs; ++i) scores.tasks.back().push_back(normal(stream.next()));
  }
  return scores;
}

constexpr std::int64_t resamples = 50'000;

/// 26 tasks of 5 runs: the interval that other tools need seconds for.
void iqm_interval(benchmark::State& state) {
  const auto scores = normals(1, 26, 5);
  for (auto _ : state)
    benchmark::DoNotOptimize(aggregate_interval(scores, Aggregate::iqm, {.resamples = resamples, .key = 7}));
  state.SetItemsProcessed(state.iterations() * resamples);
}
BENCHMARK(iqm_interval)->Unit(benchmark::kMillisecond);

void iqm_by_selection(benchmark::State& state) {
  const auto scores = normals(1, 26, 5);
  std::vector<double> drawn(130), values(resamples);
  for (auto _ : state) {
    for (std::uint64_t r = 0; r < static_cast<std::uint64_t>(resamples); ++r) {
      Stream stream(7, r);
      std::size_t k = 0;
      for (const auto& task : scores.tasks)
        for (std::size_t i = 0; i < 5; ++i) drawn[k++] = task[bounded(stream.next(), 5)];
      std::nth_element(drawn.begin(), drawn.begin() + 32, drawn.end());
      std::nth_element(drawn.begin() + 32, drawn.begin() + 97, drawn.end());
      double sum = 0.0;
      for (std::size_t i = 32; i < 98; ++i) sum += drawn[i];
      values[r] = sum / 66.0;
    }
    benchmark::DoNotOptimize(values.data());
  }
  state.SetItemsProcessed(state.iterations() * resamples);
}
BENCHMARK(iqm_by_selection)->Unit(benchmark::kMillisecond);

void mean_of_29(benchmark::State& state) {
  const auto scores = normals(1, 1, 29);
  for (auto _ : state) benchmark::DoNotOptimize(bootstrap_mean(scores.tasks[0], {.resamples = resamples, .key = 7}));
  state.SetItemsProcessed(state.iterations() * resamples);
}
BENCHMARK(mean_of_29)->Unit(benchmark::kMillisecond);

void improvement_100(benchmark::State& state) {
  const auto x = normals(1, 1, 100), y = normals(2, 1, 100);
  for (auto _ : state) benchmark::DoNotOptimize(improvement_interval(x, y, {.resamples = resamples, .key = 7}));
  state.SetItemsProcessed(state.iterations() * resamples);
}
BENCHMARK(improvement_100)->Unit(benchmark::kMillisecond);

/// 26 tasks of 5 runs of each side: drawn (what other tools do), 2,000 resamples.
void improvement_5x26(benchmark::State& state) {
  const auto x = normals(1, 26, 5), y = normals(2, 26, 5);
  for (auto _ : state)
    benchmark::DoNotOptimize(improvement_interval(x, y, {.resamples = 2'000, .key = 7, .enumerate_to = 0}));
}
BENCHMARK(improvement_5x26)->Unit(benchmark::kMillisecond);

void aso_1000(benchmark::State& state) {
  const auto x = normals(1, 1, 1'000), y = normals(2, 1, 1'000);
  for (auto _ : state) benchmark::DoNotOptimize(aso(x.tasks[0], y.tasks[0], {.resamples = 1'000, .key = 7}));
}
BENCHMARK(aso_1000)->Unit(benchmark::kMillisecond);

void signed_rank_53(benchmark::State& state) {
  const auto d = normals(1, 1, 53);
  for (auto _ : state) benchmark::DoNotOptimize(signed_rank(d.tasks[0], {.rope = .1, .draws = resamples, .key = 7}));
  state.SetItemsProcessed(state.iterations() * resamples);
}
BENCHMARK(signed_rank_53)->Unit(benchmark::kMillisecond);

void mann_whitney_tied_30(benchmark::State& state) {
  auto x = normals(1, 2, 30);
  for (auto& side : x.tasks)
    for (double& value : side) value = static_cast<double>(static_cast<int>(value * 5));
  for (auto _ : state) benchmark::DoNotOptimize(mann_whitney(x.tasks[0], x.tasks[1]));
}
BENCHMARK(mann_whitney_tied_30)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace retrial::tests::resampling_bench
