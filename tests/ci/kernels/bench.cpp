#include <benchmark/benchmark.h>

#include <cstdint>

// Six kernels, each of 2,000,000 steps in one iteration: enough for 5 % of one to stand out of the start of the
// program, and a fixed number, so that a count of instructions repeats.
namespace {

template <std::uint64_t Factor, std::int64_t Percent>
void kernel(benchmark::State& state) {
  constexpr std::int64_t steps = 20'000 * Percent;
  for (auto _ : state) {
    std::uint64_t x = 1;
    for (std::int64_t i = 0; i < steps; ++i) {
      x = x * Factor + 1442695040888963407ULL;
      benchmark::DoNotOptimize(x);
    }
  }
}

}  // namespace

BENCHMARK_TEMPLATE(kernel, 3, 100)->Name("copy")->Iterations(1);
BENCHMARK_TEMPLATE(kernel, 5, 100)->Name("scale")->Iterations(1);
BENCHMARK_TEMPLATE(kernel, 7, 100)->Name("add")->Iterations(1);
BENCHMARK_TEMPLATE(kernel, 11, 100)->Name("triad")->Iterations(1);
BENCHMARK_TEMPLATE(kernel, 13, 100)->Name("dot")->Iterations(1);
BENCHMARK_TEMPLATE(kernel, 17, 100)->Name("norm")->Iterations(1);
