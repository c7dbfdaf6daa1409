#pragma once

#include <functional>

namespace retrial::variance::inline numbers {

/// Integral of a smooth function: 30-point Gauss-Legendre rules over `panels` equal panels of [low, high], summed from
/// low to high. Deterministic; about ten digits where a panel is no wider than the function's features.
[[nodiscard]] double integrate(const std::function<double(double)>& f, double low, double high, int panels);

}  // namespace retrial::variance::inline numbers
