#include "harness/emulator/cpu.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <array>
#include <string_view>
#include <utility>

#include "determinism/manifest/machine.hpp"
#include "results/json/json.hpp"

namespace retrial::harness::inline emulator {
namespace {

#if defined(__x86_64__)
std::string vendor() {
  std::array<unsigned, 4> registers{};  // eax, then the 12 characters
  static_cast<void>(__get_cpuid(0, &registers[0], &registers[1], &registers[3], &registers[2]));
  return {reinterpret_cast<const char*>(&registers[1]), 3 * sizeof(unsigned)};
}
#endif

}  // namespace

Cpu this_cpu() {
#if defined(__x86_64__)
  return {.vendor = vendor(),
          .name = determinism::cpu_name(),
          .avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
          .avx512 = static_cast<bool>(__builtin_cpu_supports("avx512f"))};
#else
  return {.vendor = "unknown", .name = "no x86-64"};
#endif
}

Json cpu_document(const Cpu& cpu) {
  return {{"vendor", cpu.vendor}, {"name", cpu.name}, {"avx2", cpu.avx2}, {"avx512", cpu.avx512}};
}

std::optional<Cpu> cpu_from(const Json& document) try {
  return Cpu{.vendor = document.at("vendor").get<std::string>(),
             .name = document.at("name").get<std::string>(),
             .avx2 = document.at("avx2").get<bool>(),
             .avx512 = document.at("avx512").get<bool>()};
} catch (const std::exception&) {
  return std::nullopt;
}

std::string vendor_name(const Cpu& cpu) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> known{
      {{"GenuineIntel", "Intel"}, {"AuthenticAMD", "AMD"}, {"HygonGenuine", "Hygon"}}};
  for (const auto& [vendor, name] : known)
    if (cpu.vendor == vendor) return std::string(name);
  return cpu.vendor;
}

}  // namespace retrial::harness::inline emulator
