#include "workloads/data/md5.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "results/text.hpp"

namespace retrial::data {
namespace {

using State = std::array<std::uint32_t, 4>;

/// floor(2^32 |sin(i + 1)|): the definition; exact, because no product comes within 1e-6 of a whole number and sin is
/// good to 1e-15 everywhere.
std::array<std::uint32_t, 64> sines() {
  std::array<std::uint32_t, 64> table{};
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<std::uint32_t>(std::floor(4294967296.0 * std::abs(std::sin(static_cast<double>(i + 1)))));
  return table;
}

std::uint32_t word(const std::uint8_t* at) {
  return at[0] | static_cast<std::uint32_t>(at[1]) << 8 | static_cast<std::uint32_t>(at[2]) << 16 |
         static_cast<std::uint32_t>(at[3]) << 24;
}

struct Round {
  std::uint32_t mixed;
  std::size_t word;
};

Round round_of(std::size_t i, const State& s) {
  const auto [a, b, c, d] = s;
  if (i < 16) return {(b & c) | (~b & d), i};
  if (i < 32) return {(b & d) | (c & ~d), (5 * i + 1) % 16};
  if (i < 48) return {b ^ c ^ d, (3 * i + 5) % 16};
  return {c ^ (b | ~d), 7 * i % 16};
}

void take_block(State& state, const std::uint8_t* block) {
  static const std::array<std::uint32_t, 64> constants = sines();
  constexpr std::array<std::array<int, 4>, 4> turns{
      {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};
  State s = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const Round round = round_of(i, s);
    const std::uint32_t sum = s[0] + round.mixed + constants[i] + word(block + 4 * round.word);
    s = {s[3], s[1] + std::rotl(sum, turns[i / 16][i % 4]), s[1], s[2]};
  }
  for (std::size_t i = 0; i < 4; ++i) state[i] += s[i];
}

}  // namespace

std::string md5(std::span<const std::uint8_t> bytes) {
  State state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const std::size_t whole = bytes.size() / 64 * 64, rest = bytes.size() - whole;
  for (std::size_t at = 0; at < whole; at += 64) take_block(state, bytes.data() + at);
  std::array<std::uint8_t, 128> tail{};  // the rest, one bit, zeros, the length in bits
  std::copy_n(bytes.data() + whole, rest, tail.data());
  tail[rest] = 0x80;
  const std::size_t end = rest < 56 ? 64 : 128;
  for (std::size_t i = 0; i < 8; ++i)
    tail[end - 8 + i] = static_cast<std::uint8_t>(std::uint64_t{bytes.size()} * 8 >> (8 * i) & 0xff);
  for (std::size_t at = 0; at < end; at += 64) take_block(state, tail.data() + at);
  std::array<std::uint8_t, 16> digest{};
  for (std::size_t i = 0; i < 16; ++i) digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (8 * (i % 4)) & 0xff);
  return results::hex(std::span<const std::uint8_t>(digest));
}

}  // namespace retrial::data
