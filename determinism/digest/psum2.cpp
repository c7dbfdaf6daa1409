#include "determinism/digest/psum2.hpp"

#include <bit>
#include <cstring>
#include <set>

#include "determinism/digest/psum2_cuda.hpp"
#include "determinism/digest/psum2_term.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"

static_assert(std::endian::native == std::endian::little, "digests are defined on little-endian bytes");

namespace retrial::determinism::inline digest {
namespace {

using psum2_steps::add_term, psum2_steps::index_step;

constexpr std::uint64_t header_index = std::uint64_t{1} << 63;
constexpr std::uint64_t psum2_magic = 0x52544431;  // "1DTR", read as bytes
constexpr std::size_t word_bytes = sizeof(std::uint64_t);

// Eight words at a time in GCC's vector notation: the compiler lowers it to the instructions of the target at every
// optimization level, which its own vectorizer does not do at -O2.
constexpr std::size_t width = 8;
using Words8 [[gnu::vector_size(width * word_bytes)]] = std::uint64_t;

[[gnu::always_inline]] inline Lanes sum_blocks(const std::byte* data, std::size_t blocks, std::uint64_t first_word) {
  Words8 key{}, lane0{}, lane1{};
  for (std::size_t i = 0; i < width; ++i) key[i] = index_step * (first_word + i + 1);
  for (std::size_t block = 0; block < blocks; ++block) {
    Words8 words;
    std::memcpy(&words, data + block * sizeof(Words8), sizeof(Words8));
    add_term(words, key, lane0, lane1);
    key += width * index_step;
  }
  Lanes sum;
  for (std::size_t i = 0; i < width; ++i) sum.lane0 += lane0[i], sum.lane1 += lane1[i];
  return sum;
}

Lanes sum_default(const std::byte* data, std::size_t blocks, std::uint64_t first) {
  return sum_blocks(data, blocks, first);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] Lanes sum_avx2(const std::byte* data, std::size_t blocks, std::uint64_t first) {
  return sum_blocks(data, blocks, first);
}
[[gnu::target("avx512f,avx512dq,avx512vl")]] Lanes sum_avx512(const std::byte* data, std::size_t blocks,
                                                              std::uint64_t first) {
  return sum_blocks(data, blocks, first);
}
#endif

using Summation = Lanes (*)(const std::byte*, std::size_t, std::uint64_t);

Summation fastest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return sum_avx512;
  if (__builtin_cpu_supports("avx2")) return sum_avx2;
#endif
  return sum_default;
}

void add_word(Lanes& sum, std::uint64_t word, std::uint64_t index) {
  const std::uint64_t key = index_step * (index + 1);
  add_term(word, key, sum.lane0, sum.lane1);
}

}  // namespace

Lanes psum2_term(std::uint64_t word, std::uint64_t index) {
  Lanes lanes;
  add_word(lanes, word, index);
  return lanes;
}

std::uint64_t fmix64(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xFF51AFD7ED558CCD;
  x ^= x >> 33;
  x *= 0xC4CEB9FE1A85EC53;
  x ^= x >> 33;
  return x;
}

Lanes psum2_part(std::span<const std::byte> data, std::uint64_t first_word) {
  static const Summation sum_of = fastest();
  const std::size_t blocks = data.size() / sizeof(Words8);
  Lanes sum = sum_of(data.data(), blocks, first_word);
  std::uint64_t index = first_word + blocks * width;
  for (std::size_t at = blocks * sizeof(Words8); at < data.size(); at += word_bytes, ++index) {
    std::uint64_t word = 0;
    std::memcpy(&word, data.data() + at, std::min(word_bytes, data.size() - at));
    add_word(sum, word, index);
  }
  return sum;
}

Psum2 psum2_finish(Lanes data, DType dtype, std::span<const std::int64_t> sizes) {
  const std::uint64_t rank = sizes.size();
  add_word(data, static_cast<std::uint64_t>(dtype) | rank << 8 | psum2_magic << 32, header_index);
  for (std::size_t j = 0; j < sizes.size(); ++j)
    add_word(data, static_cast<std::uint64_t>(sizes[j]), header_index + 1 + j);
  return {fmix64(data.lane0), fmix64(data.lane1)};
}

Psum2 psum2(DType dtype, std::span<const std::int64_t> sizes, std::span<const std::byte> data) {
  return psum2_finish(psum2_part(data, 0), dtype, sizes);
}

Psum2 digest_list(std::span<const std::pair<std::string, Psum2>> entries) {
  std::set<std::string_view> names;
  std::vector<std::uint64_t> words;
  for (const auto& [name, digest] : entries) {
    if (!names.insert(name).second) throw InvalidInput("name", name, "a name used once in the list");
    words.insert(words.end(), {variance::fnv1a64(name), digest.d0, digest.d1});
  }
  const std::int64_t sizes[] = {static_cast<std::int64_t>(entries.size()), 3};
  return psum2(DType::list, sizes, std::as_bytes(std::span(words)));
}

std::string hex(const Psum2& digest) {
  return results::hex16(digest.d0) + results::hex16(digest.d1);
}

LanesOnDevice& lanes_on_device() {
  static constinit LanesOnDevice function = nullptr;
  return function;
}

}  // namespace retrial::determinism::inline digest
