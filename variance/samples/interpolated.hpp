#pragma once

#include <optional>
#include <span>

namespace retrial::variance::inline samples {

/// The quantile that is linear between neighbors, at q (n - 1) from the smallest value (type 7 of Hyndman and Fan
/// 1996), q in [0, 1]. Values must be finite; absent without values.
[[nodiscard]] std::optional<double> interpolated_quantile(std::span<const double> values, double q);

}  // namespace retrial::variance::inline samples
