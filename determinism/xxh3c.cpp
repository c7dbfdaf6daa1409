#include "determinism/xxh3c.hpp"

#include <xxhash.h>

#include <cstring>

#include "variance/error.hpp"

#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#define XXH_DISPATCH_DISABLE_REPLACE
#include <xxh_x86dispatch.h>
#define RETRIAL_XXH3_64 XXH3_64bits_dispatch  // a distribution's plain call runs at the SSE2 rate
#else
#define RETRIAL_XXH3_64 XXH3_64bits
#endif

namespace retrial::determinism {
namespace {

constexpr std::size_t chunk_bytes = 65'536;

void append(std::vector<std::byte>& to, const auto& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  to.insert(to.end(), bytes.begin(), bytes.end());
}

std::vector<std::byte> header(DType dtype, std::span<const std::int64_t> sizes) {
  if (sizes.size() > 255) throw InvalidInput("rank", std::to_string(sizes.size()), "0 to 255");
  std::vector<std::byte> bytes;
  for (const char letter : {'R', 'T', 'D', '1'}) append(bytes, letter);
  append(bytes, static_cast<std::uint8_t>(dtype));
  append(bytes, static_cast<std::uint8_t>(sizes.size()));
  append(bytes, std::uint16_t{0});
  for (const std::int64_t size : sizes) append(bytes, size);
  return bytes;
}

}  // namespace

std::uint64_t xxh3_64(std::span<const std::byte> data) { return RETRIAL_XXH3_64(data.data(), data.size()); }

std::uint64_t xxh3c(DType dtype, std::span<const std::int64_t> sizes, std::span<const std::byte> data) {
  std::vector<std::byte> bytes = header(dtype, sizes);
  for (std::size_t at = 0; at < data.size(); at += chunk_bytes)
    append(bytes, xxh3_64(data.subspan(at, std::min(chunk_bytes, data.size() - at))));
  return xxh3_64(bytes);
}

}  // namespace retrial::determinism
