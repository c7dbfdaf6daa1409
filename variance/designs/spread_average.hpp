#pragma once

#include <functional>

namespace retrial::variance::inline designs {

/// Mean of f(s / sigma) over the law of an estimated standard deviation s with `df` degrees of freedom: (s / sigma)^2
/// is chi-squared / df. f is between 0 and 1, a sum of Phi(a - slope * u), and 0 beyond `high`. Deterministic, about
/// ten digits. df >= 1.
[[nodiscard]] double spread_average(double df, double slope, double high, const std::function<double(double)>& f);

}  // namespace retrial::variance::inline designs
