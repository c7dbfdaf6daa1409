#include "harness/plan/profile_blocks.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::profile_blocks_tests {

using namespace retrial::harness;

namespace {

/// Two variants, each with one block of four configurations without a collector, and two pairs.
std::vector<results::PlanEntry> plan() {
  std::vector<results::PlanEntry> out;
  for (const char* variant : {"a", "b"})
    for (const auto& [block, runs] : {std::pair{0, 4}, std::pair{1, 2}, std::pair{2, 2}})
      for (int i = 0; i < runs; ++i) out.push_back({.variant = variant, .block = block});
  return out;
}

}  // namespace

TEST_CASE("the runs of one block of one variant are together") {
  const std::vector<std::vector<std::size_t>> expected{{0, 1, 2, 3},   {4, 5},   {6, 7},
                                                       {8, 9, 10, 11}, {12, 13}, {14, 15}};
  CHECK(blocks_of(plan()) == expected);
}

TEST_CASE("measured runs stand for the pairs of a profile study: the second of an odd pair, the first of an even one") {
  CHECK(places_of_pairs(plan(), ProfileDesign{.blocks = 1, .collector = "none"}) ==
        std::vector<std::size_t>{5, 6, 13, 14});
}

TEST_CASE("every trial of another study stands for its pair") {
  CHECK(places_of_pairs(plan(), std::nullopt).size() == plan().size());
}

}  // namespace retrial::tests::profile_blocks_tests
