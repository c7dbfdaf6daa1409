#pragma once

// The project's generator for GPU kernels: the Philox4x32-10 core, random access and the conversions whose bits a
// device reproduces (integers and exact floating point). Normals and exponentials are drawn on the host. Equal, word
// for word, to variance/random/rng.hpp, which also derives the keys.

#include <cstdint>

#include "determinism/kernels/both_sides.hpp"

namespace retrial::device {

struct Block4 {
  std::uint32_t c0, c1, c2, c3;
};
struct Words {
  std::uint64_t word0, word1;
};

/// Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3 (SC 2011).
RETRIAL_HD Block4 philox4x32(Block4 c, std::uint64_t key) {
  std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * c.c0, p1 = std::uint64_t{0xCD9E8D57} * c.c2;
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c.c1 ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c.c3 ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

/// Words 0 and 1 of block b of an index; element e of a tensor is word 0 of block(key, e, 0).
RETRIAL_HD Words block(std::uint64_t key, std::uint64_t index, std::uint32_t b) {
  constexpr std::uint32_t draw_tag = 0x77617264;
  const Block4 r =
      philox4x32({b, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), draw_tag}, key);
  return {r.c0 | std::uint64_t{r.c1} << 32, r.c2 | std::uint64_t{r.c3} << 32};
}

/// [0, 1), exact.
RETRIAL_HD double uniform(std::uint64_t x) {
  return static_cast<double>(x >> 11) * 0x1p-53;
}
RETRIAL_HD float uniform_float(std::uint64_t x) {
  return static_cast<float>(x >> 40) * 0x1p-24f;
}

/// [0, n), the upper half of x * n in four 32-bit products. n = 0 gives 0: a kernel cannot throw, so its caller checks.
RETRIAL_HD std::uint64_t bounded(std::uint64_t x, std::uint64_t n) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(x, n);
#else
  const std::uint64_t x0 = x & 0xffffffff, x1 = x >> 32, n0 = n & 0xffffffff, n1 = n >> 32;
  const std::uint64_t low = x0 * n0 >> 32, cross = x1 * n0 + low;
  return x1 * n1 + (cross >> 32) + ((x0 * n1 + (cross & 0xffffffff)) >> 32);
#endif
}

/// Kept with probability 1 - p, 0 <= p <= 1: the float compared as a double, never p as a float.
RETRIAL_HD bool keep(std::uint64_t x, double p) {
  return static_cast<double>(uniform_float(x)) >= p;
}

}  // namespace retrial::device
