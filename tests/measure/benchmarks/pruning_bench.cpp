// The selection of weights: exactly the best, in a total order, against the partition of the standard library on
// floats.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>

#include "variance/random/rng.hpp"
#include "workloads/pruning/allocation/allocation.hpp"

namespace retrial::tests::pruning_bench {

using namespace retrial;

namespace {

constexpr std::int64_t count = 1'000'000;

std::vector<double> scores() {
  std::vector<double> out;
  variance::Stream stream(20210403);
  for (std::int64_t i = 0; i < count; ++i) out.push_back(static_cast<float>(variance::uniform(stream.next())));
  return out;
}

void best_of_a_million(benchmark::State& state) {
  const pruning::WeightScores all{scores()};
  const pruning::MaskSet current{{{"layer", std::vector<std::uint8_t>(count, 1)}}};
  for (auto step : state)
    benchmark::DoNotOptimize(pruning::keep_best(all, current, count / 5, 0, {true}).masks.layers.data());
}
BENCHMARK(best_of_a_million)->Unit(benchmark::kMillisecond);

void nth_element_of_a_million(benchmark::State& state) {
  const std::vector<double> all = scores();
  const std::vector<float> values(all.begin(), all.end());
  std::vector<float> work;
  for (auto step : state) {
    work = values;
    std::nth_element(work.begin(), work.begin() + count / 5, work.end(), std::greater<>());
    benchmark::DoNotOptimize(work.data());
  }
}
BENCHMARK(nth_element_of_a_million)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace retrial::tests::pruning_bench
