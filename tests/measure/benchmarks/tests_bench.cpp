// Cost of one test, one bootstrap and the study of error rates, one thread: next to other tools in
// tests/measure/ratios.py.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "variance/audit/error_rates.hpp"
#include "variance/bootstrap/bootstrap.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::tests_bench {

namespace {

using namespace retrial::variance;

std::vector<double> normals(std::uint64_t key, std::size_t count) {
  std::vector<double> values;
  Stream stream(key);
  for (std::size_t i = 0; i < count; ++i) values.push_back(normal(stream.next()));
  return values;
}

/// Every test of two variants on thirty normal scores each, validation included.
void one_test(benchmark::State& state, const ComparisonTest& test) {
  const std::size_t runs = test.scores == ScoreKind::five_by_two ? 10 : 30;
  auto candidate = normals(1, runs), baseline = normals(2, runs);
  if (test.scores == ScoreKind::bits)
    for (auto* side : {&candidate, &baseline})
      for (double& score : *side) score = score > 0.0 ? 1.0 : 0.0;
  const TestSettings settings{
      .direction = Direction::higher, .margin = 1.0, .overlap = 0.1, .rope = 0.1, .resamples = 1'000, .key = 7};
  for (auto _ : state) benchmark::DoNotOptimize(compare(test.name, candidate, baseline, settings));
}

[[maybe_unused]] const int registered = [] {
  for (const ComparisonTest& test : all_comparisons())
    benchmark::RegisterBenchmark(("test/" + std::string(test.name)).c_str(),
                                 [&test](benchmark::State& state) { one_test(state, test); });
  return 0;
}();

void bootstrap_of_a_mean(benchmark::State& state) {
  const auto values = normals(1, 30);
  const auto method = state.range(0) == 0 ? BootstrapMethod::percentile : BootstrapMethod::bca;
  for (auto _ : state)
    benchmark::DoNotOptimize(bootstrap_mean(values, {.resamples = 10'000, .key = 7, .method = method}));
}
BENCHMARK(bootstrap_of_a_mean)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

/// Statistics of one's own: the mean as if it were one, and the median.
void bootstrap_of_own_mean(benchmark::State& state) {
  const auto values = normals(1, 30);
  const auto own = [](std::span<const double> drawn) {
    double sum = 0.0;
    for (const double x : drawn) sum += x;
    return sum / static_cast<double>(drawn.size());
  };
  for (auto _ : state) benchmark::DoNotOptimize(bootstrap_interval(values, own, {.resamples = 10'000, .key = 7}));
}
BENCHMARK(bootstrap_of_own_mean)->Unit(benchmark::kMicrosecond);
void bootstrap_of_a_median(benchmark::State& state) {
  const auto values = normals(1, 30);
  const auto median = [](std::span<const double> ordered) { return (ordered[14] + ordered[15]) / 2.0; };
  for (auto _ : state) benchmark::DoNotOptimize(bootstrap_ordered(values, median, {.resamples = 10'000, .key = 7}));
}
BENCHMARK(bootstrap_of_a_median)->Unit(benchmark::kMicrosecond);
void bootstrap_of_a_median_by_selection(benchmark::State& state) {
  const auto values = normals(1, 30);
  std::vector<double> scratch;
  const auto median = [&](std::span<const double> drawn) {
    scratch.assign(drawn.begin(), drawn.end());
    std::nth_element(scratch.begin(), scratch.begin() + 15, scratch.end());
    return (*std::max_element(scratch.begin(), scratch.begin() + 15) + scratch[15]) / 2.0;
  };
  for (auto _ : state) benchmark::DoNotOptimize(bootstrap_interval(values, median, {.resamples = 10'000, .key = 7}));
}
BENCHMARK(bootstrap_of_a_median_by_selection)->Unit(benchmark::kMicrosecond);

/// The published study: five tasks, every criterion, 10,000 simulations a point.
void error_study(benchmark::State& state) {
  const auto tasks = published_error_tasks();
  std::vector<double> points;
  for (int i = 0; i < 13; ++i) points.push_back(0.4 + 0.05 * i);
  for (auto _ : state) benchmark::DoNotOptimize(simulate_error_rates(tasks, points, {.simulations = 10'000, .key = 7}));
}
BENCHMARK(error_study)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace retrial::tests::tests_bench
