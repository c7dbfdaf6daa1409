#include "harness/emulator/cpu.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "results/json/json.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline emulator {
namespace {

#if defined(__x86_64__)
/// eax, ebx, ecx, edx.
using Leaf = std::array<unsigned, 4>;

Leaf leaf(unsigned number, unsigned part = 0) {
  Leaf out{};
  static_cast<void>(__get_cpuid_count(number, part, &out[0], &out[1], &out[2], &out[3]));
  return out;
}

/// The characters in these registers, up to a zero, without blanks around them.
std::string characters_of(const std::vector<unsigned>& registers) {
  std::string text(reinterpret_cast<const char*>(registers.data()), registers.size() * sizeof(unsigned));
  text.resize(std::min(text.find('\0'), text.size()));
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return results::one_line(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

std::string brand() {
  std::vector<unsigned> registers;
  for (unsigned number = 0x80000002; number <= 0x80000004; ++number)
    for (const unsigned value : leaf(number)) registers.push_back(value);
  return characters_of(registers);
}
#endif

}  // namespace

Cpu this_cpu() {
#if defined(__x86_64__)
  const auto identity = leaf(0);
  return {.vendor = characters_of({identity[1], identity[3], identity[2]}),
          .name = brand(),
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
