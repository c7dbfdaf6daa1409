// The body of the kernel, run on the host, beside psum2_part, whose values are those of the specification.
#include <array>
#include <memory>

#include "determinism/digest/psum2.hpp"
#include "determinism/digest/psum2_parts.hpp"
#include "determinism/kernels/lists.hpp"
#include "tests/catch.hpp"
#include "tests/determinism/kernels/twin.hpp"

namespace retrial::tests::psum2_twin_tests {

using namespace retrial::determinism;

namespace {

struct Slice {
  std::size_t offset, bytes;
  std::uint64_t first_word;
};

/// Bytes at an address that is a multiple of 16, and slices of them.
struct Memory {
  alignas(16) std::array<std::byte, 1 << 19> bytes;
  explicit Memory(std::uint64_t key) {
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
      const std::uint64_t word = variance::block(key, i, 0)[0];
      std::memcpy(bytes.data() + i, &word, sizeof word);
    }
  }
};

std::vector<Listed<Psum2Bytes>> listed(const Memory& memory, const std::vector<Slice>& slices) {
  std::vector<Listed<Psum2Bytes>> list;
  for (const Slice& slice : slices) {
    const Psum2Bytes bytes{reinterpret_cast<const unsigned char*>(memory.bytes.data()) + slice.offset, slice.bytes,
                           slice.first_word};
    list.push_back({bytes, bytes.words()});
  }
  return list;
}

std::vector<Lanes> by_twin(const Memory& memory, const std::vector<Slice>& slices, const twin::Grid& grid) {
  std::vector<Lanes> lanes(slices.size());
  const auto list = listed(memory, slices);
  each_launch(std::span<const Listed<Psum2Bytes>>(list), [&](const Parts<Psum2Bytes>& parts, std::size_t first) {
    twin::launch(grid, [&](const Where& at) {
      psum2_steps::add_parts(parts, at, [&](unsigned tensor, std::uint64_t lane0, std::uint64_t lane1) {
        lanes[first + tensor].lane0 += lane0;
        lanes[first + tensor].lane1 += lane1;
      });
    });
  });
  return lanes;
}

std::size_t differing(const Memory& memory, const std::vector<Slice>& slices, const std::vector<Lanes>& lanes) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const Lanes cpu =
        psum2_part(std::span(memory.bytes).subspan(slices[i].offset, slices[i].bytes), slices[i].first_word);
    count += cpu.lane0 != lanes[i].lane0 || cpu.lane1 != lanes[i].lane1;
  }
  return count;
}

/// A thousand of any size, at each offset to a word and to a pair of words.
std::vector<Slice> slices_of(std::uint64_t key, std::size_t count) {
  std::vector<Slice> slices;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [a, b] = variance::block(key, i, 0);
    const std::size_t largest = i % 4 == 0 ? 300'000 : i % 4 == 1 ? 4'000 : 100;
    slices.push_back({i % 16 + 16 * variance::bounded(a, 100), variance::bounded(b, largest), i % 5 == 0 ? a : 0});
  }
  return slices;
}

}  // namespace

TEST_CASE("the kernel's digest of a list is the CPU's, at any address, of any length, by any grid") {
  const auto memory = std::make_unique<Memory>(7);
  const auto slices = slices_of(11, 1000);
  std::uint64_t words = 0;
  for (const Slice& slice : slices) words += slice.bytes / 8;
  CHECK(words > 1'000'000);
  for (const auto& grid : {twin::Grid{1, 1}, twin::Grid{7, 256, true}, twin::Grid{600, 32}})
    CHECK(differing(*memory, slices, by_twin(*memory, slices, grid)) == 0);
}

TEST_CASE("the kernel's digest sees each single bit, and a planted difference of the lanes is seen") {
  const auto memory = std::make_unique<Memory>(13);
  const std::vector<Slice> slices{{3, 301, 0}, {16, 65536 + 24, 5}};
  const auto before = by_twin(*memory, slices, {2, 32});
  auto planted = before;
  planted[1].lane1 ^= 1;
  CHECK(differing(*memory, slices, planted) == 1);
  std::size_t unseen = 0;
  for (std::size_t bit = 0; bit < 8 * slices[0].bytes; ++bit) {
    memory->bytes[slices[0].offset + bit / 8] ^= std::byte(1U << bit % 8);
    const auto after = by_twin(*memory, {slices[0]}, {1, 32});
    unseen += after[0].lane0 == before[0].lane0 || after[0].lane1 == before[0].lane1;
    memory->bytes[slices[0].offset + bit / 8] ^= std::byte(1U << bit % 8);
  }
  CHECK(unseen == 0);
}

}  // namespace retrial::tests::psum2_twin_tests
