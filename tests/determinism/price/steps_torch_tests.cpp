// Every layer steps, and the switch that only a price moves is moved. No time is compared with a time.
#include "determinism/price/steps.hpp"

#include <ATen/Context.h>

#include <algorithm>

#include "determinism/price/layers.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::price_steps_tests {

using namespace retrial::determinism;

TEST_CASE("every layer is timed step by step, kernels too") {
  for (const PricedLayer& layer : priced_layers()) {
    INFO(layer.name);
    const StepTimes times = time_layer({.layer = layer.name, .batch = 2, .warmup = 1, .steps = 2}, false);
    CHECK(times.wall.size() == 2);
    CHECK(times.kernel.size() == 1);
    for (const auto& found : {times.wall, times.kernel})
      CHECK(std::ranges::all_of(found, [](double time) { return time > 0; }));
  }
}

TEST_CASE("a price alone moves the fill of uninitialized memory") {
  const bool before = at::globalContext().deterministicFillUninitializedMemory();
  set_fill(false);
  CHECK_FALSE(at::globalContext().deterministicFillUninitializedMemory());
  set_fill(true);
  CHECK(at::globalContext().deterministicFillUninitializedMemory());
  set_fill(before);
}

}  // namespace retrial::tests::price_steps_tests
