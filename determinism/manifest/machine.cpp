#include "determinism/manifest/machine.hpp"

#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "results/digest/sha256.hpp"
#include "results/json/json.hpp"
#include "results/text/text.hpp"

namespace retrial::determinism::inline manifest {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) return std::nullopt;
  return line;
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\"");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\"") - begin + 1);
}

/// "key : value" or KEY="value" lines; the first line of each key counts (with several processors, the first one).
std::map<std::string, std::string> fields_of(const fs::path& file, char separator) {
  std::ifstream stream(file);
  std::map<std::string, std::string> fields;
  for (std::string line; std::getline(stream, line);) {
    const auto at = line.find(separator);
    if (at != std::string::npos) fields.emplace(trimmed(line.substr(0, at)), trimmed(line.substr(at + 1)));
  }
  return fields;
}

Json field_or_null(const std::map<std::string, std::string>& fields, const std::string& key) {
  const auto found = fields.find(key);
  return found == fields.end() ? Json(nullptr) : Json(results::one_line(found->second));
}

Json line_or_null(const fs::path& file) {
  const auto line = first_line(file);
  return line ? Json(results::one_line(trimmed(*line))) : Json(nullptr);
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

// The order of the flags changes between kernel releases; the set does not.
Json flags_digest(const std::map<std::string, std::string>& cpu) {
  const auto found = cpu.contains("flags") ? cpu.find("flags") : cpu.find("Features");
  if (found == cpu.end()) return nullptr;
  std::vector<std::string> flags = words_of(found->second);
  std::sort(flags.begin(), flags.end());
  return results::hex(results::sha256(results::joined(flags, " ")));
}

// "524288 kB" -> 524288
Json kib_of(const std::map<std::string, std::string>& memory) {
  const auto found = memory.find("MemTotal");
  if (found == memory.end()) return nullptr;
  const auto words = words_of(found->second);
  const auto number = words.empty() ? std::nullopt : results::parse_int(words[0]);
  return number ? Json(*number) : Json(nullptr);
}

Json smt_of(const fs::path& root) {
  const auto line = first_line(root / "sys/devices/system/cpu/smt/active");
  return line ? Json(*line == "1") : Json(nullptr);
}

std::string virtualisation() {
#if defined(__x86_64__)
  constexpr unsigned hypervisor_bit = 1u << 31, hypervisor_leaf = 0x40000000;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & hypervisor_bit)) return "none";
  __cpuid(hypervisor_leaf, a, b, c, d);
  std::string vendor;
  for (const unsigned part : {b, c, d})
    for (unsigned shift = 0; shift < 32; shift += 8) vendor += static_cast<char>(part >> shift & 0xff);
  return results::one_line(std::string(vendor.c_str()));
#else
  return "unknown";
#endif
}

/// QEMU says in CPUID that it generates the code, no matter who started it. /proc/cpuinfo shows the host's CPU even
/// then.
std::optional<std::string> emulated_cpu() {
  if (virtualisation() != "TCGTCGTCGTCG") return std::nullopt;
  const std::string name = cpu_name();
  return name.empty() ? "a CPU without a name" : name;
}

std::string kernel_release() {
  utsname names{};
  return uname(&names) == 0 ? std::string(names.sysname) + " " + names.release : "unknown";
}

}  // namespace

std::string cpu_name() {
  std::string name;
#if defined(__x86_64__)
  constexpr unsigned first_of_name = 0x80000002;
  for (unsigned leaf = first_of_name; leaf < first_of_name + 3; ++leaf) {
    unsigned part[4]{};
    if (__get_cpuid(leaf, &part[0], &part[1], &part[2], &part[3]))
      name.append(reinterpret_cast<const char*>(part), sizeof part);
  }
#endif
  return trimmed(results::one_line(name.c_str()));
}

Json machine_facts(const fs::path& root) {
  const auto cpu = fields_of(root / "proc/cpuinfo", ':');
  const auto status = fields_of(root / "proc/self/status", ':');
  const auto os = fields_of(root / "etc/os-release", '=');
  Json facts{{"cpu_model", field_or_null(cpu, "model name")},
             {"cpu_stepping", field_or_null(cpu, "stepping")},
             {"cpu_flags", flags_digest(cpu)},
             {"microcode", field_or_null(cpu, "microcode")},
             {"cpu_cores", sysconf(_SC_NPROCESSORS_ONLN)},
             {"affinity", field_or_null(status, "Cpus_allowed_list")},
             {"cgroup_quota", line_or_null(root / "sys/fs/cgroup/cpu.max")},
             {"memory_kib", kib_of(fields_of(root / "proc/meminfo", ':'))},
             {"kernel", kernel_release()},
             {"os", field_or_null(os, "PRETTY_NAME")},
             {"libc", std::string("glibc ") + gnu_get_libc_version()},
             {"governor", line_or_null(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
             {"smt", smt_of(root)},
             {"virtualisation", virtualisation()}};
  if (const auto shown = emulated_cpu()) facts["emulated"] = *shown;
  return facts;
}

Json volatile_facts(const fs::path& root) {
  const auto load = words_of(first_line(root / "proc/loadavg").value_or(""));
  const auto ticks = words_of(first_line(root / "proc/stat").value_or(""));
  constexpr std::size_t steal_column = 8;  // proc(5): cpu user nice system idle iowait irq softirq steal
  const auto steal = ticks.size() > steal_column ? results::parse_int(ticks[steal_column]) : std::nullopt;
  return {{"load_average", load.size() < 3 ? Json(nullptr) : Json(load[0] + " " + load[1] + " " + load[2])},
          {"steal_ticks", steal ? Json(*steal) : Json(nullptr)}};
}

}  // namespace retrial::determinism::inline manifest
