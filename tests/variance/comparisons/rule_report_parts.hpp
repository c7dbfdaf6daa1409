// What the parts of the report of the rules share: numbers as text with ten digits, scores from a key.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "variance/bayes/bayes.hpp"
#include "variance/numbers/estimate.hpp"
#include "variance/random/rng.hpp"

namespace rules {

using namespace retrial::variance;

inline std::string text_of(double value) {
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 10);
  return {buffer.data(), end.ptr};
}
inline std::string text_of(const std::optional<double>& value) {
  return value ? text_of(*value) : "-";
}
inline std::string text_of(const Estimate& e) {
  return text_of(e.point) + " [" + text_of(e.low) + ", " + text_of(e.high) + "] " + text_of(e.level) + " " + e.method;
}
inline std::string text_of(const Posterior& p) {
  return text_of(p.left) + "/" + text_of(p.rope) + "/" + text_of(p.right);
}

inline std::vector<double> normals(std::uint64_t key, std::size_t count, double shift, double step) {
  std::vector<double> values;
  Stream stream(key);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = normal(stream.next()) + shift;
    values.push_back(step > 0.0 ? std::round(x / step) * step : x);
  }
  return values;
}

}  // namespace rules
