#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace retrial::variance::inline random {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): the one generator of the project (randomness spec 1). Counter
/// and result in the order (c0, c1, c2, c3); key as one u64, k0 the low half.
using Block4 = std::array<std::uint32_t, 4>;
[[nodiscard]] Block4 philox4x32(Block4 counter, std::uint64_t key);

[[nodiscard]] std::uint64_t fnv1a64(std::string_view bytes);

/// Children of a key: a name for the purpose of the draws, or a number within a series. Never spell a number as a name.
/// Signed and floating-point arguments do not compile.
[[nodiscard]] std::uint64_t derive(std::uint64_t key, std::string_view name);
template <std::unsigned_integral N>
[[nodiscard]] std::uint64_t derive(std::uint64_t key, N n);
template <typename T>
requires(std::signed_integral<T> || std::floating_point<T> || std::same_as<T, std::nullptr_t> ||
         std::same_as<T, bool>) std::uint64_t derive(std::uint64_t key, T)
= delete;

/// derive(derive(root, source), pair).
[[nodiscard]] std::uint64_t source_seed(std::uint64_t root, std::string_view source, std::uint64_t pair);

/// Two 64-bit words by random access: words 0 and 1 of counter (b, index, "draw").
[[nodiscard]] std::array<std::uint64_t, 2> block(std::uint64_t key, std::uint64_t index, std::uint32_t b);

/// Sequential words of block(key, index, 0), block(key, index, 1), ...
class Stream {
 public:
  explicit Stream(std::uint64_t key, std::uint64_t index = 0) : key_(key), index_(index) {}
  /// Throws std::length_error past b = 2^32 - 1.
  std::uint64_t next();
  /// Skips `words` words in constant time; throws like `next`.
  void skip(std::uint64_t words);

 private:
  std::uint64_t key_, index_;
  std::uint64_t place_ = 0;   // place of the next word
  std::uint64_t second_ = 0;  // word 1 of the current block
};

/// Conversions of one 64-bit word (randomness spec 4), bit-equal on every compiler and instruction set.
[[nodiscard]] double uniform(std::uint64_t x);                      ///< [0, 1)
[[nodiscard]] double uniform(std::uint64_t x, double a, double b);  ///< a + (b - a) * uniform; may round up to b
[[nodiscard]] double uniform_open(std::uint64_t x);                 ///< (0, 1)
[[nodiscard]] float uniform_float(std::uint64_t x);                 ///< [0, 1)
/// [0, n), the upper half of x * n; n = 0 throws InvalidInput naming n.
[[nodiscard]] std::uint64_t bounded(std::uint64_t x, std::uint64_t n);
[[nodiscard]] double normal(std::uint64_t x);
[[nodiscard]] double exponential(std::uint64_t x);
[[nodiscard]] double gamma_half(std::uint64_t x);
/// True (kept) with probability 1 - p; p outside [0, 1] throws InvalidInput naming p.
[[nodiscard]] bool keep(std::uint64_t x, double p);

/// The project's logarithm and normal quantile (AS 241), bit by bit (randomness spec 4.1).
/// InvalidInput unless x is a positive normal number, and unless 0 < p < 1.
[[nodiscard]] double log(double x);
[[nodiscard]] double quantile(double p);

/// Place k of the result holds item result[k].
[[nodiscard]] std::vector<std::uint32_t> permutation(std::uint64_t key, std::uint32_t n, std::uint64_t index = 0);
/// d normals of successive words divided by their norm; the first axis below 1e-12; d = 0 throws InvalidInput.
[[nodiscard]] std::vector<double> unit_direction(Stream& stream, std::size_t d);

}  // namespace retrial::variance::inline random

#include "variance/random/rng_inline.hpp"
