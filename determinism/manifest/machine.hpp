#pragma once

#include <filesystem>

#include "results/json/json_fwd.hpp"

namespace retrial::determinism::inline manifest {

/// The manifest's group `machine`: cpu_model, cpu_stepping, cpu_flags (SHA-256 of the sorted list), microcode,
/// cpu_cores (online), affinity, cgroup_quota, memory_kib, kernel, os, libc, governor, smt, virtualisation. Null
/// where this system does not say. Files are read below `root`, which a test may plant.
[[nodiscard]] Json machine_facts(const std::filesystem::path& root = "/");

/// The group `volatile`: load_average and steal_ticks, as they are now.
[[nodiscard]] Json volatile_facts(const std::filesystem::path& root = "/");

}  // namespace retrial::determinism::inline manifest
