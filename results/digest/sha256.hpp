#pragma once

#include <nettle/sha2.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "results/json/json_fwd.hpp"

namespace retrial::results::inline digest {

using Digest = std::array<std::uint8_t, 32>;
using Id16 = std::array<std::uint8_t, 16>;

/// Incremental SHA-256 (FIPS 180-4).
class Sha256 {
 public:
  Sha256();
  void update(std::span<const std::uint8_t> bytes);
  void update(std::string_view text);
  [[nodiscard]] Digest finish();

 private:
  sha256_ctx state_;
};

[[nodiscard]] Digest sha256(std::string_view bytes);
[[nodiscard]] Digest sha256(std::span<const std::uint8_t> bytes);
/// Throws Error{exit incomparable} when the file cannot be read.
[[nodiscard]] Digest sha256_file(const std::filesystem::path& file);

/// SHA-256 of the canonical bytes of a document.
[[nodiscard]] Digest digest_of(const Json& document);

[[nodiscard]] std::string hex(const Digest& digest);
[[nodiscard]] std::string hex(const Id16& id);
/// 64 hex digits; throws Error{exit integrity} naming `what` otherwise.
[[nodiscard]] Digest digest_from_hex(std::string_view text, const std::string& what);
[[nodiscard]] Id16 id16_from_hex(std::string_view text, const std::string& what);

}  // namespace retrial::results::inline digest
