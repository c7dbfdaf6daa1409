#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace retrial::data::inline files {

/// MD5 (RFC 1321) in lower-case hex: only to recognize files by the digests that their authors publish. It identifies
/// and protects nothing.
[[nodiscard]] std::string md5(std::span<const std::uint8_t> bytes);

}  // namespace retrial::data::inline files
