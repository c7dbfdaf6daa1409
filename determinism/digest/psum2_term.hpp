#pragma once

#include <cstdint>

#include "determinism/kernels/both_sides.hpp"

/// The digest's integer steps, for the host and for the GPU.
namespace retrial::determinism::inline digest::psum2_steps {

inline constexpr std::uint64_t index_step = 0x9E3779B97F4A7C15;
inline constexpr std::uint64_t x_multiplier = 0xBF58476D1CE4E5B9;
inline constexpr std::uint64_t lane0_multiplier = 0x94D049BB133111EB;
inline constexpr std::uint64_t lane1_multiplier = 0xFF51AFD7ED558CCD;

/// Both lanes of one word. `Word` is u64 or a vector of them; each step is a bijection of the word, so a change of
/// one word always changes both lanes. `key` = index_step * (index + 1).
template <typename Word>
RETRIAL_HD void add_term(const Word& word, const Word& key, Word& lane0, Word& lane1) {
  Word x = word + key;
  x ^= x >> 32;
  x *= x_multiplier;
  x ^= x >> 29;
  Word a = x * lane0_multiplier;
  a ^= a >> 32;
  Word b = x * lane1_multiplier;
  b ^= b >> 31;
  lane0 += a;
  lane1 += b;
}

}  // namespace retrial::determinism::inline digest::psum2_steps
