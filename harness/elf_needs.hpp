#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace retrial::harness {

/// File names of the shared libraries that a 64-bit little-endian ELF program names itself (DT_NEEDED), in order.
/// Empty for any other file; bytes that contradict themselves end the list.
[[nodiscard]] std::vector<std::string> needed_libraries(const std::filesystem::path& program);

}  // namespace retrial::harness
