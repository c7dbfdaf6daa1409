#pragma once

#include <functional>

#include "determinism/price/step_clock.hpp"

namespace retrial::determinism::inline price {

/// The worker's side of a price. Without LibTorch, steps_none.cpp replaces steps_torch.cpp and throws
/// Error{incomparable}.

/// Whether a deterministic mode fills uninitialized memory: no axis of a mode, and set for a price alone.
void set_fill(bool on);
[[nodiscard]] PriceClocks price_clocks(bool on_gpu);
/// The steps of a layer, timed under the mode in force.
[[nodiscard]] StepTimes time_layer(const PriceOrder& order, bool on_gpu);

}  // namespace retrial::determinism::inline price
