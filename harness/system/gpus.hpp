#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace retrial::harness::inline system {

/// The GPUs that this process may use, as CUDA_VISIBLE_DEVICES names them: the entries of that variable up to the first
/// that hides the rest, or "0", "1", ... for each device file of the driver. `root`: of the file system.
[[nodiscard]] std::vector<std::string> visible_gpus(const std::optional<std::string>& cuda_visible_devices,
                                                    const std::filesystem::path& root = "/");

}  // namespace retrial::harness::inline system
