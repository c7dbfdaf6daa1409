#pragma once

#include <filesystem>
#include <string>

#include "results/json/json_fwd.hpp"

namespace retrial::determinism::inline manifest {

/// The manifest's group `machine`: cpu_model, cpu_stepping, cpu_flags (SHA-256 of the sorted list), microcode,
/// cpu_cores (online), affinity, cgroup_quota, memory_kib, kernel, os, libc, governor, smt, virtualisation. Null for
/// facts that this system does not provide. Files are read below `root`, which a test can replace. Only where QEMU
/// emulates the instructions of this process: emulated, the CPU that it shows, as CPUID names it.
[[nodiscard]] Json machine_facts(const std::filesystem::path& root = "/");

/// The name that CPUID gives of the CPU that runs this process, an emulated one too; empty where it gives none.
[[nodiscard]] std::string cpu_name();

/// The group `volatile`: current load_average and steal_ticks.
[[nodiscard]] Json volatile_facts(const std::filesystem::path& root = "/");

}  // namespace retrial::determinism::inline manifest
