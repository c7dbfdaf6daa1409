#pragma once

namespace retrial::variance::inline numbers {

/// The p in [0, 1] at which the increasing `tail` reaches `level`, bisected to neighboring doubles.
template <typename Tail>
[[nodiscard]] double unit_root(double level, Tail&& tail) {
  double low = 0.0, high = 1.0;
  for (;;) {
    const double middle = low + (high - low) / 2.0;
    if (middle <= low || middle >= high) return middle;
    (tail(middle) < level ? low : high) = middle;
  }
}

}  // namespace retrial::variance::inline numbers
