#pragma once

#include <cstdint>
#include <string>

#include "determinism/meter/reading.hpp"

namespace retrial::determinism::inline meter {

/// Other programs that compute on a card: never their names.
struct Neighbours {
  int count = 0;
  double memory_mib = 0;
};

/// One GPU as its driver sees it. Everything but the name may be missing.
class Card {
 public:
  virtual ~Card() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual Reading<std::string> uuid() const = 0;
  /// Number of slices where the card is divided (MIG), 0 where it is whole.
  [[nodiscard]] virtual Reading<int> slices() const = 0;
  [[nodiscard]] virtual Reading<bool> ecc() const = 0;
  [[nodiscard]] virtual Reading<double> power_limit_w() const = 0;
  [[nodiscard]] virtual Reading<double> max_sm_clock_mhz() const = 0;
  /// Since the driver was loaded; Volta and later.
  [[nodiscard]] virtual Reading<std::uint64_t> energy_mj() const = 0;
  [[nodiscard]] virtual Reading<double> power_w() const = 0;
  [[nodiscard]] virtual Reading<double> sm_clock_mhz() const = 0;
  [[nodiscard]] virtual Reading<double> memory_clock_mhz() const = 0;
  [[nodiscard]] virtual Reading<double> temperature_c() const = 0;
  /// "none", or the reasons why clocks are lower than they could be: "power, heat".
  [[nodiscard]] virtual Reading<std::string> throttled() const = 0;
  /// Programs that compute on it, without this process.
  [[nodiscard]] virtual Reading<Neighbours> neighbours() const = 0;
};

}  // namespace retrial::determinism::inline meter
