#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "determinism/kernels/parts.hpp"
#include "variance/random/rng.hpp"

/// A launch on the host: every thread of every block in turn.
namespace retrial::tests::twin {

struct Grid {
  std::uint64_t blocks;
  unsigned threads;
  bool backwards = false;
};

/// No thread, few, one block as on the device, more blocks than work; in both orders.
inline const std::vector<Grid> grids{{1, 1}, {3, 32}, {7, 256, true}, {600, 256}};

template <typename Body>
void launch(const Grid& grid, const Body& body) {
  const std::uint64_t all = grid.blocks * grid.threads;
  for (std::uint64_t i = 0; i < all; ++i) {
    const std::uint64_t one = grid.backwards ? all - 1 - i : i;
    body(determinism::Where{one / grid.threads, grid.blocks, static_cast<unsigned>(one % grid.threads), grid.threads});
  }
}

/// Any bits: NaNs with payloads, infinities, denormals, both zeros.
inline std::vector<float> any_floats(std::uint64_t key, std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = std::bit_cast<float>(static_cast<std::uint32_t>(variance::block(key, i, 0)[0]));
  return values;
}

/// Ordinary numbers of a training, with a few special ones.
inline std::vector<float> weights(std::uint64_t key, std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<float>(variance::uniform(variance::block(key, i, 0)[0], -1, 1));
  const std::vector<float> special = any_floats(key, n / 16);
  for (std::size_t i = 0; i < special.size(); ++i) values[i * 16] = special[i];
  return values;
}

/// A NaN is not equal to itself, but its bits are. Which operand's payload a sum of two NaNs takes depends on the
/// compiler's order of the operands, so two NaNs are equal here.
inline std::size_t differing(const std::vector<float>& a, const std::vector<float>& b) {
  std::size_t count = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    count +=
        std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i]) && !(a[i] != a[i] && b[i] != b[i]);
  return count;
}

}  // namespace retrial::tests::twin
