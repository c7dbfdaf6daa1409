#pragma once

#include <cstdint>
#include <cstring>

#include "determinism/digest/psum2_term.hpp"
#include "determinism/kernels/parts.hpp"

/// The body of the kernel that digests a list of tensors in one launch.
namespace retrial::determinism::inline digest {

/// Bytes at any address, whose first word has index `first_word`. Their elements in a list are words of 8 bytes.
struct Psum2Bytes {
  const unsigned char* data;
  std::uint64_t bytes, first_word;

  [[nodiscard]] std::uint64_t words() const { return bytes / 8 + (bytes % 8 != 0); }
};

namespace psum2_steps {

RETRIAL_HD std::uint64_t aligned_word(const unsigned char* place) {
  std::uint64_t word;
  std::memcpy(&word, __builtin_assume_aligned(place, 8), sizeof word);
  return word;
}

/// Word i, zeros after the last byte. A slice may start at any address: two aligned words around it are read and
/// shifted, or its bytes where those words would reach past the ends.
RETRIAL_HD std::uint64_t word_at(const Psum2Bytes& from, std::uint64_t i) {
  const unsigned char* const place = from.data + 8 * i;
  const std::uint64_t rest = from.bytes - 8 * i;
  const auto off = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(place) % 8);
  if (off == 0 && rest >= 8) return aligned_word(place);
  if (off != 0 && i > 0 && rest >= 16 - off)
    return aligned_word(place - off) >> (8 * off) | aligned_word(place - off + 8) << (64 - 8 * off);
  std::uint64_t word = 0;
  for (unsigned b = 0; b < 8 && b < rest; ++b) word |= std::uint64_t{place[b]} << (8 * b);
  return word;
}

struct Pair {
  std::uint64_t first, second;
};

/// The terms of the words of one chunk that belong to this thread.
RETRIAL_HD void add_words(const Psum2Bytes& from, const Chunk& words, unsigned thread, unsigned threads,
                          std::uint64_t& lane0, std::uint64_t& lane1) {
  const std::uint64_t pairs = (words.end - words.begin) / 2;
  if (reinterpret_cast<std::uintptr_t>(from.data) % sizeof(Pair) != 0 || pairs * 2 != words.end - words.begin ||
      words.end * 8 > from.bytes) {
    for (std::uint64_t i = words.begin + thread; i < words.end; i += threads) {
      const std::uint64_t key = index_step * (from.first_word + i + 1);
      add_term(word_at(from, i), key, lane0, lane1);
    }
    return;
  }
  const unsigned char* const data = from.data + 8 * words.begin;
  std::uint64_t key = index_step * (from.first_word + words.begin + 2 * std::uint64_t{thread} + 1);
#if defined(__CUDACC__)
#pragma unroll 4
#endif
  for (std::uint64_t i = thread; i < pairs; i += threads) {
    Pair pair;
    std::memcpy(&pair, __builtin_assume_aligned(data + i * sizeof(Pair), sizeof(Pair)), sizeof pair);
    add_term(pair.first, key, lane0, lane1);
    const std::uint64_t next = key + index_step;
    add_term(pair.second, next, lane0, lane1);
    key += index_step * 2 * threads;
  }
}

/// Chunks in a row for each block, so that most blocks see one tensor: flush(tensor, lane0, lane1) is called once for
/// each that they see, by all threads of a block together. The sums of all calls are the lanes.
template <typename Flush>
RETRIAL_HD void add_parts(const Parts<Psum2Bytes>& parts, const Where& at, const Flush& flush) {
  std::uint64_t chunk = parts.chunks() * at.block / at.blocks;
  const std::uint64_t last = parts.chunks() * (at.block + 1) / at.blocks;
  while (chunk < last) {
    const unsigned tensor = tensor_of(parts, chunk);
    std::uint64_t lane0 = 0, lane1 = 0;
    for (; chunk < last && chunk < parts.first_chunk[tensor + 1]; ++chunk)
      add_words(parts.tensors[tensor], chunk_of(parts, tensor, chunk), at.thread, at.threads, lane0, lane1);
    flush(tensor, lane0, lane1);
  }
}

}  // namespace psum2_steps
}  // namespace retrial::determinism::inline digest
