#pragma once

#include <cstdint>
#include <optional>

/// Searches of monotone functions, for plans: the number of runs that is enough, the effect that is found.
namespace retrial::variance::inline numbers {

/// Least n from `low` to `limit` for which `enough` is true, if it stays true from there on. Absent if it is false up
/// to `limit`. Doubles, then halves: about 2 log2(n) calls.
template <typename Enough>
[[nodiscard]] std::optional<std::int64_t> least_enough(std::int64_t low, std::int64_t limit, Enough&& enough) {
  std::int64_t high = low, below = low - 1;
  while (!enough(high)) {
    if (high >= limit) return std::nullopt;
    below = high;
    high = high > limit / 2 ? limit : 2 * high;
  }
  while (high - below > 1) {
    const std::int64_t middle = below + (high - below) / 2;
    (enough(middle) ? high : below) = middle;
  }
  return high;
}

/// Smallest x in (0, high] with f(x) >= level, for a rising f with f(high) >= level, to `relative` of `high`.
template <typename Rising>
[[nodiscard]] double least_argument(Rising&& f, double level, double high, double relative = 1e-13) {
  double low = 0.0;
  const double width = relative * high;
  for (int i = 0; i < 200 && high - low > width; ++i) {
    const double middle = low + (high - low) / 2.0;
    (f(middle) >= level ? high : low) = middle;
  }
  return high;
}

}  // namespace retrial::variance::inline numbers
