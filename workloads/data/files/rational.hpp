#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace retrial::data::inline files {

/// The exact value of a number as typed: ".33" is 33/100, not the nearest double. Used for milestones and shares,
/// because floor(0.29 * 100) is 28 in doubles.
struct Rational {
  std::int64_t numerator = 0, denominator = 1;

  /// floor(this * n), exact.
  [[nodiscard]] std::int64_t floor_of(std::int64_t n) const;
};

/// "1/3", ".33", "0.5", "1e-05", "2": not negative, at most 18 significant digits, denominator at most 10^18. Nothing
/// otherwise.
[[nodiscard]] std::optional<Rational> parse_rational(std::string_view text);

/// floor(share * n) of the shortest decimal that reads back to `share`; share in [0, 1].
[[nodiscard]] std::int64_t floor_of_share(double share, std::int64_t n);

}  // namespace retrial::data::inline files
