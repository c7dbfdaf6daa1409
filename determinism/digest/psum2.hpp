#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace retrial::determinism::inline digest {

/// 128-bit digest psum2 (determinism spec 7.3): order-sensitive, independent of layout and of the number of threads.
struct Psum2 {
  std::uint64_t d0 = 0, d1 = 0;
  bool operator==(const Psum2&) const = default;
};

enum class DType : std::uint8_t {
  uint8 = 0,
  int8 = 1,
  int16 = 2,
  int32 = 3,
  int64 = 4,
  float16 = 5,
  float32 = 6,
  float64 = 7,
  complex32 = 8,
  complex64 = 9,
  complex128 = 10,
  boolean = 11,
  qint8 = 12,
  quint8 = 13,
  qint32 = 14,
  bfloat16 = 15,
  list = 0xF0,
  undefined = 0xF1,
};

/// `data` in row-major logical order, little-endian; any length (zero-padded to words).
[[nodiscard]] Psum2 psum2(DType dtype, std::span<const std::int64_t> sizes, std::span<const std::byte> data);

/// Partial lane sums of `data`, whose first word has index `first_word`; sums of parts add up modulo 2^64, so the
/// digest does not depend on how the data is split over threads or GPU blocks.
struct Lanes {
  std::uint64_t lane0 = 0, lane1 = 0;
};
[[nodiscard]] Lanes psum2_part(std::span<const std::byte> data, std::uint64_t first_word);
[[nodiscard]] Psum2 psum2_finish(Lanes data, DType dtype, std::span<const std::int64_t> sizes);

/// Order matters; a repeated name throws InvalidInput naming it.
[[nodiscard]] Psum2 digest_list(std::span<const std::pair<std::string, Psum2>> entries);

/// 32 hex digits (the store keeps the algorithm's name with it).
[[nodiscard]] std::string hex(const Psum2& digest);

/// The building blocks, exposed for known-answer tests.
[[nodiscard]] Lanes psum2_term(std::uint64_t word, std::uint64_t index);
[[nodiscard]] std::uint64_t fmix64(std::uint64_t x);

}  // namespace retrial::determinism::inline digest
