#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace retrial::data {

/// The bytes of a file, gunzipped when it begins with 1f 8b. Throws Error{incomparable} with path and system message
/// when it cannot be read, Error{integrity} when the archive is damaged or opens to more than `most` bytes.
[[nodiscard]] std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file, std::uint64_t most);

}  // namespace retrial::data
