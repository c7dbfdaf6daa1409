#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>

#include "variance/numbers/error.hpp"
#include "variance/numbers/number_text.hpp"

/// Checks of arguments: each throws InvalidInput with the name of the parameter, the value given and what is allowed.
namespace retrial::variance::inline numbers {

/// low < value < high.
inline void require_between(const char* field, double value, double low, double high) {
  if (value > low && value < high) return;
  throw InvalidInput(field, shortest(value), "greater than " + shortest(low) + " and less than " + shortest(high));
}

inline void require_at_least(const char* field, std::int64_t value, std::int64_t min) {
  if (value >= min) return;
  throw InvalidInput(field, std::to_string(value), std::to_string(min) + " or more");
}

inline void require_within(const char* field, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return;
  throw InvalidInput(field, std::to_string(value), std::to_string(low) + " to " + std::to_string(high));
}

inline void require_positive(const char* field, double value) {
  if (value > 0.0 && std::isfinite(value)) return;
  throw InvalidInput(field, shortest(value), "finite numbers greater than 0");
}

inline void require_not_negative(const char* field, double value) {
  if (value >= 0.0 && std::isfinite(value)) return;
  throw InvalidInput(field, shortest(value), "finite numbers from 0");
}

inline void require_finite(const std::string& field, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    throw InvalidInput(field + "[" + std::to_string(i) + "]", shortest(values[i]), "finite numbers");
  }
}

}  // namespace retrial::variance::inline numbers
