#pragma once

#include <optional>
#include <string>

#include "results/json/json_fwd.hpp"

namespace retrial::harness::inline emulator {

/// CPUID of the CPU that runs this process.
struct Cpu {
  std::string vendor;  ///< "GenuineIntel"
  std::string name;    ///< "Intel Xeon Processor (Skylake)"
  bool avx2 = false;   ///< with FMA: what ATen, oneDNN and OpenBLAS ask for together
  bool avx512 = false;
};
[[nodiscard]] Cpu this_cpu();

/// {vendor, name, avx2, avx512}; read back, nothing for anything else.
[[nodiscard]] Json cpu_document(const Cpu& cpu);
[[nodiscard]] std::optional<Cpu> cpu_from(const Json& document);

/// "Intel", "AMD", "Hygon"; other vendors as CPUID has them.
[[nodiscard]] std::string vendor_name(const Cpu& cpu);

}  // namespace retrial::harness::inline emulator
