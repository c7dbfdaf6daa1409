#pragma once

#include <filesystem>

#include "results/json/json.hpp"

namespace retrial::workloads::command::inline surroundings {

/// {gpus, gpu_driver} of the NVIDIA driver, as the kernel lists them below `root`; an empty object without one.
[[nodiscard]] Json gpu_facts(const std::filesystem::path& root = "/");

}  // namespace retrial::workloads::command::inline surroundings
