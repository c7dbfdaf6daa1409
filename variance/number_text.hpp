#pragma once

#include <charconv>
#include <cmath>
#include <string>

namespace retrial::variance {

/// Shortest decimal that reads back to the same bits; independent of the locale.
inline std::string shortest(double value) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

/// `digits` places behind the point, of a value small enough to be read by people (below 1e15).
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

}  // namespace retrial::variance
