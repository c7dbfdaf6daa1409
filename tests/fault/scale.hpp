// How much the fault tests do: little enough for every change by default, what scripts/soak asks for otherwise.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "variance/random/rng.hpp"

namespace retrial::tests {

#ifdef __SANITIZE_ADDRESS__
constexpr int slowness = 5;  ///< of a program under the sanitizers
#else
constexpr int slowness = 1;
#endif

inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? std::stoull(text) : otherwise;
}

/// Every moment and every mutation is drawn from this seed; the same seed draws the same ones.
inline std::uint64_t fault_seed() {
  return number_from("RETRIAL_FAULT_SEED", 20210403);
}
inline std::uint64_t fault_key(std::string_view purpose) {
  return variance::derive(variance::derive(fault_seed(), "fault-tests"), purpose);
}

}  // namespace retrial::tests
