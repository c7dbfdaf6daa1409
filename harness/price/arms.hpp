#pragma once

#include <string>
#include <vector>

#include "determinism/mode/kernel_mode.hpp"

namespace retrial::harness::inline price {

/// A way to run the same steps. All arms have equal precision, threads and instruction set.
struct Arm {
  std::string name;     ///< "D0"
  std::string meaning;  ///< "deterministic algorithms, without fill"
  determinism::KernelMode mode;
  bool fill = true;  ///< uninitialized memory is filled
};

/// A price: the time under one arm divided by that under another.
struct ArmRatio {
  std::string name, with, without, meaning;
};

struct PriceDesign {
  std::vector<Arm> arms;
  std::vector<ArmRatio> ratios;  ///< the first is the total
};

/// N: mode off; D0: strict, no fill; D1: strict and fill. On a GPU also N with one axis changed each. As a control all
/// arms are N: every price is then 1 but for noise. Throws Error{usage} for a mode that sets nothing, or portable,
/// which has no partner.
[[nodiscard]] PriceDesign price_design(const determinism::KernelMode& base, bool control);

}  // namespace retrial::harness::inline price
