// Planted clocks: every expected time is the planted one.
#include "determinism/price/step_clock.hpp"

#include "determinism/price/layers.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::step_clock_tests {

using namespace retrial;
using namespace retrial::determinism;

namespace {

constexpr std::int64_t ms = 1'000'000;

/// A process whose step n takes n ms, 1 ms of it outside kernels; observing costs 100 ms a step.
struct Process {
  std::int64_t now = 0, kernels = 0, done = 0;
  bool observed = false;

  void step() {
    ++done;
    now += done * ms + (observed ? 100 * ms : 0);
    if (observed) kernels += (done - 1) * ms;
  }
  [[nodiscard]] PriceClocks clocks() {
    return {.wall = [this] { return now; },
            .observe = [this](bool on) { observed = on; },
            .kernels = [this] { return kernels; }};
  }
};

StepTimes timed(Process& process, const PriceOrder& order, std::int64_t every = 1) {
  StepClock clock(order, process.clocks());
  do process.step();
  while (process.done % every != 0 || !clock.at(process.done));
  return clock.times();
}

}  // namespace

TEST_CASE("a step clock leaves out the warm-up, then times steps, then kernels") {
  Process process;
  const StepTimes times = timed(process, {.warmup = 3, .steps = 5});
  CHECK(times.wall == std::vector<double>{4, 5, 6, 7, 8});  // no step of them was observed
  CHECK(times.kernel == std::vector<double>{8});            // step 9, a fifth of 5 steps
  CHECK(process.done == 9);
  CHECK_FALSE(process.observed);
}

TEST_CASE("a step clock that is asked now and then gives the mean of the steps between") {
  Process process;
  const StepTimes times = timed(process, {.warmup = 4, .steps = 10}, 2);
  CHECK(times.wall == std::vector<double>{5.5, 7.5, 9.5, 11.5, 13.5});
  CHECK(times.kernel == std::vector<double>{14.5});  // steps 15 and 16
}

TEST_CASE("without warm-up the first step starts the clock") {
  Process process;
  CHECK(timed(process, {.warmup = 0, .steps = 2}).wall == std::vector<double>{2});
}

TEST_CASE("where kernels cannot be timed, the reason is given and no step is spent on it") {
  Process process;
  auto clocks = process.clocks();
  clocks.observe = {};
  clocks.no_kernel_times = "no tracer";
  StepClock clock({.warmup = 1, .steps = 2}, clocks);
  do process.step();
  while (!clock.at(process.done));
  CHECK(process.done == 3);
  CHECK(clock.times().wall == std::vector<double>{2, 3});
  CHECK(clock.times().kernel.empty());
  CHECK(clock.times().no_kernel_times == "no tracer");
}

TEST_CASE("an unknown layer is named with the nearest one") {
  CHECK(priced_layer("conv5x5", "").kernel == 5);
  CHECK_THROWS_WITH(priced_layer("conv5x6", "--layers"), has_text("--layers = conv5x6: unknown layer"));
  try {
    static_cast<void>(priced_layer("liner", "--layers"));
    FAIL();
  } catch (const Error& error) {
    CHECK(error.text.help == "did you mean 'linear'?");
  }
}

}  // namespace retrial::tests::step_clock_tests
