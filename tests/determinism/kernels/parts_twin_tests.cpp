#include <array>
#include <numeric>
#include <stdexcept>

#include "determinism/kernels/lists.hpp"
#include "tests/catch.hpp"
#include "tests/determinism/kernels/twin.hpp"

namespace retrial::tests::parts_twin_tests {

using namespace retrial::determinism;

namespace {

using Marks = std::vector<std::uint32_t>*;

/// Sizes around a chunk, and none.
std::vector<std::vector<std::uint32_t>> tensors_of(std::size_t count) {
  constexpr std::array<std::size_t, 9> sizes{0, 1, 31, 4095, 4096, 4097, 0, 8192, 12289};
  std::vector<std::vector<std::uint32_t>> tensors;
  for (std::size_t i = 0; i < count; ++i) tensors.emplace_back(count > 20 ? i % 3 : sizes[i % sizes.size()], 0);
  return tensors;
}

std::vector<Listed<Marks>> listed(std::vector<std::vector<std::uint32_t>>& tensors) {
  std::vector<Listed<Marks>> list;
  for (auto& tensor : tensors) list.push_back({&tensor, tensor.size()});
  return list;
}

std::size_t not_once(const std::vector<std::vector<std::uint32_t>>& tensors) {
  std::size_t wrong = 0;
  for (const auto& tensor : tensors)
    for (const std::uint32_t seen : tensor) wrong += seen != 1;
  return wrong;
}

}  // namespace

TEST_CASE("every grid sees each element of a list once") {
  for (const std::size_t count : {1, 2, 9, 18, 512, 513, 1300}) {
    for (const auto& grid : twin::grids) {
      auto tensors = tensors_of(count);
      const auto list = listed(tensors);
      std::size_t launches = 0;
      each_launch(std::span<const Listed<Marks>>(list), [&](const Parts<Marks>& parts, std::size_t first) {
        CHECK(parts.tensors[0] == list[first].tensor);
        ++launches;
        twin::launch(grid, [&](const Where& at) {
          each_element(parts, at, [](Marks tensor, std::uint64_t i) { ++(*tensor)[i]; });
        });
      });
      CHECK(launches == (count == 1 ? 0 : (count + max_parts - 1) / max_parts));  // the only tensor is empty
      CHECK(not_once(tensors) == 0);
    }
  }
}

TEST_CASE("a list takes 512 tensors, and none whose chunks it cannot count") {
  const auto parts = std::make_unique<Parts<int>>();
  for (int i = 0; i < 512; ++i) REQUIRE(add(*parts, i, 1));
  CHECK_FALSE(add(*parts, 512, 1));
  const std::vector<Listed<int>> huge{{0, std::uint64_t{1} << 44}};
  CHECK_THROWS_AS(each_launch(std::span<const Listed<int>>(huge), [](const auto&, std::size_t) {}), std::length_error);
}

}  // namespace retrial::tests::parts_twin_tests
