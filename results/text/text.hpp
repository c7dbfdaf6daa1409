#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/text/value.hpp"

namespace retrial::results::inline text {

/// Shortest decimal that reads back to the same bits (std::to_chars), ".0" appended when it has neither '.' nor
/// 'e'; "NaN", "inf", "-inf". Never depends on the locale.
[[nodiscard]] std::string text_of(double value);

/// Derived numbers (estimates, bounds, p, power) before they are printed or hashed: rounded to 10 significant digits.
[[nodiscard]] double rounded10(double value);

/// The whole text as a finite double; nothing if characters remain or the value is not finite.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_int(std::string_view text);
/// Decimal, or 0x and hex digits; the full u64 range.
[[nodiscard]] std::optional<std::uint64_t> parse_u64(std::string_view text);

/// 16 lower-case hex digits, most significant first.
[[nodiscard]] std::string hex16(std::uint64_t value);
[[nodiscard]] std::optional<std::uint64_t> parse_hex16(std::string_view text);
/// The IEEE-754 bits of a double in that form, and back.
[[nodiscard]] std::string hex_of_bits(double value);
[[nodiscard]] std::optional<double> double_from_hex(std::string_view text);

[[nodiscard]] std::string hex(std::span<const std::uint8_t> bytes);
/// Lower- or upper-case hex of even length; nothing otherwise.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> bytes_from_hex(std::string_view text);

/// A value for people: text_of for doubles, true/false, text as it is.
[[nodiscard]] std::string text_of(const Value& value);
/// Integers in decimal, and true/false: without this overload they would silently become doubles.
template <std::integral N>
[[nodiscard]] std::string text_of(N value) {
  if constexpr (std::same_as<N, bool>) return value ? "true" : "false";
  return std::to_string(value);
}

/// The candidate with the smallest edit distance to `name`, if that is at most 2 (on a tie the first one).
[[nodiscard]] std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

/// "a, b, c".
[[nodiscard]] std::string joined(std::span<const std::string> items, std::string_view separator = ", ");

/// cleaned() text of at most `limit` bytes, cut between characters: safe for one line of a terminal.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t limit = 1000);

}  // namespace retrial::results::inline text
