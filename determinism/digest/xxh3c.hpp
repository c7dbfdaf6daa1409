#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "determinism/digest/psum2.hpp"

namespace retrial::determinism::inline digest {

/// 64-bit digest of traces: XXH3-64 (the public xxHash specification) of each 65,536-byte chunk, then of a header
/// {"RTD1", dtype, rank, sizes} and the chunk hashes. Order-sensitive; chunks may be hashed anywhere. `data` in
/// row-major logical order, little-endian. More than 255 sizes throw InvalidInput naming rank.
[[nodiscard]] std::uint64_t xxh3c(DType dtype, std::span<const std::int64_t> sizes, std::span<const std::byte> data);

/// XXH3-64 with seed 0, with the variant for this CPU if the library has one.
[[nodiscard]] std::uint64_t xxh3_64(std::span<const std::byte> data);

}  // namespace retrial::determinism::inline digest
