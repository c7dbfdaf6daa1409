#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

namespace retrial::variance::inline numbers {

/// Shortest decimal that reads back to the same bits; independent of the locale.
inline std::string shortest(double value) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

/// `digits` decimal places, for values below 1e15.
inline std::string fixed(double value, int digits) {
  if (!(std::fabs(value) < 1e15)) return shortest(value);
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, digits).ptr};
}

/// At most `digits` significant digits, for sentences.
inline std::string significant(double value, int digits) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits).ptr};
}

/// A share as "87.5 %". A share below 1 that would round to 100 % reads "> 99.9 %": no outcome that can fail to happen
/// is called certain. Sums of probabilities that miss 1 by rounding are 1.
inline std::string percent(double share, int digits = 3) {
  constexpr double rounding = 1e-12;
  if (share >= 1.0 - rounding && share <= 1.0 + rounding) return "100 %";
  const std::string text = significant(100.0 * share, digits);
  if (share > 1.0 || (text != "100" && text != "1e+02")) return text + " %";
  return digits > 2 ? "> 99." + std::string(static_cast<std::size_t>(digits - 2), '9') + " %" : "> 99 %";
}

/// "1 pair", "2 pairs"; `many` is the plural if it is not formed with s.
inline std::string counted_text(std::int64_t count, const std::string& one, const std::string& many = "") {
  return std::to_string(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

}  // namespace retrial::variance::inline numbers
