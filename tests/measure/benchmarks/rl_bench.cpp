// Steps of environments, beside the mathematical functions that each step needs.
#include <benchmark/benchmark.h>

#include <cmath>

#include "workloads/rl/env/libm.hpp"
#include "workloads/rl/env/vector_environment.hpp"

namespace retrial::tests::rl_bench {

using namespace retrial::rlenv;

namespace {

/// One sine and one cosine of angles that a pole has.
void sine_and_cosine(benchmark::State& state) {
  double angle = .1;
  for (auto step : state) {
    angle = .2 * std::sin(angle) + .1 * std::cos(angle);
    benchmark::DoNotOptimize(angle);
  }
}
BENCHMARK(sine_and_cosine);

/// The functions of one step of Acrobot as Gymnasium calls them: 12 sines, 18 cosines, 32 squares.
void functions_of_acrobot(benchmark::State& state) {
  double angle = .1;
  for (auto step : state) {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += std::sin(angle + i);
    for (int i = 0; i < 18; ++i) sum += std::cos(angle + i);
    for (int i = 0; i < 32; ++i) sum += pw2(angle + i);
    angle = 1e-6 * sum;
    benchmark::DoNotOptimize(angle);
  }
}
BENCHMARK(functions_of_acrobot);

void one(benchmark::State& state, const char* name, double action) {
  const auto environment = make(name);
  environment->reset(1);
  for (auto step : state)
    if (environment->step(action).ends()) environment->reset();
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(one, cartpole, "cartpole", 1.0);
BENCHMARK_CAPTURE(one, acrobot, "acrobot", 2.0);
BENCHMARK_CAPTURE(one, mountaincar, "mountaincar", 2.0);
BENCHMARK_CAPTURE(one, mountaincar_continuous, "mountaincar-continuous", 1.0);
BENCHMARK_CAPTURE(one, pendulum, "pendulum", 1.0);

/// 1,024 CartPoles at a time, with their observations and resets; items are steps.
void batch(benchmark::State& state) {
  constexpr std::size_t count = 1024;
  VectorEnvironment together("cartpole", {}, count, Autoreset::next_step, static_cast<std::size_t>(state.range(0)));
  together.reset(1);
  std::vector<double> actions(count);
  for (std::size_t i = 0; i < count; ++i) actions[i] = static_cast<double>(i % 2);
  for (auto step : state) {
    together.step(actions);
    benchmark::DoNotOptimize(together.observations().data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}
BENCHMARK(batch)->ArgName("threads")->Arg(1)->UseRealTime();

}  // namespace
}  // namespace retrial::tests::rl_bench
