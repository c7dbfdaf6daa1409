#pragma once

// Integer parts and exact conversions of variance/random/rng.hpp. They are inline because they are in the innermost
// loops: called through the linker, `block` runs at half the rate. Functions that round more than once are in rng.cpp,
// so that their bits do not depend on the floating-point flags of the file that calls it.

#include <cfloat>
#include <limits>
#include <stdexcept>

#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"

namespace retrial::variance::inline random {

static_assert(FLT_EVAL_METHOD == 0, "doubles must be rounded to 53 bits after each operation (no x87 arithmetic)");
static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<float>::is_iec559, "IEEE-754 numbers");

namespace detail {
constexpr std::uint32_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
constexpr std::uint32_t weyl_0 = 0x9E3779B9, weyl_1 = 0xBB67AE85;
// Last counter word: the purpose of a call of the generator ("name", "indx", "draw" as little-endian text).
constexpr std::uint32_t tag_name = 0x656d616e, tag_number = 0x78646e69, tag_draw = 0x77617264;

constexpr std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
constexpr std::uint32_t high(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}
constexpr std::uint64_t joined(std::uint32_t lo, std::uint32_t hi) {
  return lo | std::uint64_t{hi} << 32;
}

[[noreturn]] void throw_stream_exhausted();
[[noreturn]] void throw_bounded_zero();
[[noreturn]] void throw_keep(double p);

__extension__ using Wide = unsigned __int128;
}  // namespace detail

inline Block4 philox4x32(Block4 counter, std::uint64_t key) {
  std::uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  std::uint32_t k0 = detail::low(key), k1 = detail::high(key);
  const auto round = [&] {
    const std::uint64_t p0 = std::uint64_t{detail::multiplier_0} * c0;
    const std::uint64_t p1 = std::uint64_t{detail::multiplier_1} * c2;
    c0 = detail::high(p1) ^ c1 ^ k0;
    c1 = detail::low(p1);
    c2 = detail::high(p0) ^ c3 ^ k1;
    c3 = detail::low(p0);
    k0 += detail::weyl_0;
    k1 += detail::weyl_1;
  };
  // Written out because g++ does not unroll the loop at -O2, which costs a quarter of the rate.
  round(), round(), round(), round(), round();
  round(), round(), round(), round(), round();
  return {c0, c1, c2, c3};
}

template <std::unsigned_integral N>
std::uint64_t derive(std::uint64_t key, N n) {
  static_assert(sizeof(N) <= sizeof(std::uint64_t));
  const std::uint64_t number = n;
  const Block4 r = philox4x32({detail::low(number), detail::high(number), 0, detail::tag_number}, key);
  return detail::joined(r[0], r[1]);
}

inline std::array<std::uint64_t, 2> block(std::uint64_t key, std::uint64_t index, std::uint32_t b) {
  const Block4 r = philox4x32({b, detail::low(index), detail::high(index), detail::tag_draw}, key);
  return {detail::joined(r[0], r[1]), detail::joined(r[2], r[3])};
}

inline std::uint64_t Stream::next() {
  const std::uint64_t place = place_;
  if (place >> 33 != 0) detail::throw_stream_exhausted();
  ++place_;
  if ((place & 1) != 0) return second_;
  const auto words = block(key_, index_, static_cast<std::uint32_t>(place >> 1));
  second_ = words[1];
  return words[0];
}

inline double uniform(std::uint64_t x) {
  return static_cast<double>(x >> 11) * 0x1p-53;
}

inline double uniform_open(std::uint64_t x) {
  return (static_cast<double>(x >> 12) + 0.5) * 0x1p-52;
}

inline float uniform_float(std::uint64_t x) {
  return static_cast<float>(x >> 40) * 0x1p-24F;
}

inline std::uint64_t bounded(std::uint64_t x, std::uint64_t n) {
  if (n == 0) detail::throw_bounded_zero();
  return static_cast<std::uint64_t>(static_cast<detail::Wide>(x) * n >> 64);
}

inline bool keep(std::uint64_t x, double p) {
  if (!(p >= 0.0 && p <= 1.0)) detail::throw_keep(p);
  return static_cast<double>(uniform_float(x)) >= p;
}

}  // namespace retrial::variance::inline random
