#pragma once

#include "results/json/json_fwd.hpp"

namespace retrial::determinism::inline mode {

/// The GPUs that this process may use: {"devices": 1, "driver": "13.0", "runtime": "13.0", "gpus": [{"name",
/// "capability", "multiprocessors", "memory_mib"}]}, or {"devices": 0, "reason": "no NVIDIA driver is installed",
/// ...}. null in a program that has no CUDA code, such as retrial-worker. Never throws.
[[nodiscard]] Json found_devices();

/// For the CUDA code of a program, before main: what found_devices() answers with.
void set_device_probe(Json (*probe)());

}  // namespace retrial::determinism::inline mode
