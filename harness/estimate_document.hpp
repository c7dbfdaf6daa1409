#pragma once

#include "results/json.hpp"
#include "variance/estimate.hpp"

namespace retrial::harness {

/// Point, interval, level and method, 10 significant digits; null for a bound that there is none of, and for what is
/// not finite.
[[nodiscard]] Json estimate_json(const variance::Estimate& estimate);

}  // namespace retrial::harness
