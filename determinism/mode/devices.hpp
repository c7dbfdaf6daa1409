#pragma once

#include <cstdint>

#include "results/json/json_fwd.hpp"

namespace retrial::determinism::inline mode {

/// The GPUs that this process may use: {"devices": 1, "driver": "13.0", "runtime": "13.0", "gpus": [{"name",
/// "capability", "multiprocessors", "memory_mib", "l2_mib", "ecc", "wave_limit"}]}, or {"devices": 0, "reason": "no
/// NVIDIA driver is installed", ...}. null in a program that has no CUDA code, such as retrial-worker. Never throws.
[[nodiscard]] Json found_devices();

/// Elements up to which LibTorch's own draws on a GPU do not depend on its number of multiprocessors (one wave of
/// blocks of 256 threads). No draw of ours comes from them; the limit explains what other programs draw.
[[nodiscard]] std::int64_t wave_limit(std::int64_t multiprocessors, std::int64_t threads_per_multiprocessor);

/// For the CUDA code of a program, before main: what found_devices() answers with.
void set_device_probe(Json (*probe)());

}  // namespace retrial::determinism::inline mode
