#include "harness/system/gpus.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace retrial::harness::inline system {
namespace {

/// /dev/nvidia0, but not /dev/nvidiactl or /dev/nvidia-uvm.
bool is_device_file(const std::string& name) {
  constexpr std::string_view stem = "nvidia";
  return name.size() > stem.size() && name.starts_with(stem) &&
         std::all_of(name.begin() + stem.size(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::vector<std::string> visible_gpus(const std::optional<std::string>& cuda_visible_devices,
                                      const std::filesystem::path& root) {
  std::vector<std::string> gpus;
  if (cuda_visible_devices) {
    std::istringstream list(*cuda_visible_devices);
    for (std::string entry; std::getline(list, entry, ',');) {
      if (entry.empty() || entry.starts_with('-')) break;  // CUDA ignores what follows an entry that is no device
      gpus.push_back(entry);
    }
    return gpus;
  }
  std::error_code unreadable;
  for (const auto& file : std::filesystem::directory_iterator(root / "dev", unreadable))
    if (is_device_file(file.path().filename().string())) gpus.push_back(std::to_string(gpus.size()));
  return gpus;
}

}  // namespace retrial::harness::inline system
