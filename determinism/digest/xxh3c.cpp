#include "determinism/digest/xxh3c.hpp"

#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "variance/numbers/error.hpp"

#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#define XXH_DISPATCH_DISABLE_REPLACE
#include <xxh_x86dispatch.h>
#define RETRIAL_XXH3_64 XXH3_64bits_dispatch  // the plain call of a distribution's library runs at SSE2 speed
#else
#define RETRIAL_XXH3_64 XXH3_64bits
#endif

namespace retrial::determinism::inline digest {
namespace {

constexpr std::size_t chunk_bytes = 65'536;

constexpr std::uint64_t xxh3c_magic = 0x31445452;  // the bytes "RTD1"

}  // namespace

std::uint64_t xxh3_64(std::span<const std::byte> data) {
  return RETRIAL_XXH3_64(data.data(), data.size());
}

// The final input is a multiple of 8 bytes: magic, dtype, rank and two zero bytes; sizes; chunk hashes.
std::uint64_t xxh3c(DType dtype, std::span<const std::int64_t> sizes, std::span<const std::byte> data) {
  if (sizes.size() > 255) throw InvalidInput("rank", std::to_string(sizes.size()), "0 to 255");
  std::vector<std::uint64_t> words = {xxh3c_magic | static_cast<std::uint64_t>(dtype) << 32 |
                                      static_cast<std::uint64_t>(sizes.size()) << 40};
  for (const std::int64_t size : sizes) words.push_back(static_cast<std::uint64_t>(size));
  for (std::size_t at = 0; at < data.size(); at += chunk_bytes)
    words.push_back(xxh3_64(data.subspan(at, std::min(chunk_bytes, data.size() - at))));
  return xxh3_64(std::as_bytes(std::span(words)));
}

}  // namespace retrial::determinism::inline digest
