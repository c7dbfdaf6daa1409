#pragma once

#include "results/json/json_fwd.hpp"
#include "variance/numbers/estimate.hpp"

namespace retrial::harness::inline estimates {

/// Point, interval, level and method, to 10 significant digits; null where a bound does not exist or a value is not
/// finite.
[[nodiscard]] Json estimate_json(const variance::Estimate& estimate);

}  // namespace retrial::harness::inline estimates
