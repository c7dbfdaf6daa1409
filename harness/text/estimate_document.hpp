#pragma once

#include "results/json/json_fwd.hpp"
#include "variance/numbers/estimate.hpp"

namespace retrial::harness::inline text {

/// Point, interval, level and method, 10 significant digits; null for a bound that there is none of, and for what is
/// not finite.
[[nodiscard]] Json estimate_json(const variance::Estimate& estimate);

}  // namespace retrial::harness::inline text
