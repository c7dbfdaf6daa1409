// Whole resamples at once against the definition, Stream and its conversions, word by word.
#include "variance/random/bulk_draws.hpp"

#include <bit>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::bulk_draws_tests {

using namespace retrial::variance;

namespace {

constexpr std::uint64_t keys[] = {0, 1, 0x406e6b5de64c0d5d, ~std::uint64_t{0}};
constexpr std::uint64_t indices[] = {0, 5, (std::uint64_t{1} << 32) + 7, ~std::uint64_t{0}};

void check_words(std::size_t count) {
  for (const std::uint64_t key : keys)
    for (const std::uint64_t index : indices) {
      std::vector<std::uint64_t> words(count + 1, 77);
      fill_words(key, index, std::span(words).first(count));
      Stream stream(key, index);
      for (std::size_t i = 0; i < count; ++i) REQUIRE(words[i] == stream.next());
      REQUIRE(words[count] == 77);  // nothing is written after the span
    }
}

void check_conversions(const std::vector<std::uint64_t>& words) {
  const std::size_t count = words.size();
  std::vector<std::uint32_t> places(count + 1, 77);
  std::vector<double> values(count + 1, 77.0);
  for (const std::uint32_t n : {1U, 2U, 5U, 29U, 60'000U, ~0U}) {
    fill_bounded(words, n, std::span(places).first(count));
    for (std::size_t i = 0; i < count; ++i) REQUIRE(places[i] == bounded(words[i], n));
  }
  fill_exponentials(words, std::span(values).first(count));
  for (std::size_t i = 0; i < count; ++i)
    REQUIRE(std::bit_cast<std::uint64_t>(values[i]) == std::bit_cast<std::uint64_t>(exponential(words[i])));
  REQUIRE(places[count] == 77);
  REQUIRE(values[count] == 77.0);
}

}  // namespace

TEST_CASE("many words at once are the words of the stream, whatever the instructions") {
  const std::string best = bulk_instructions();
  for (const char* most : {"avx512", "avx2", "scalar"}) {
    limit_bulk_instructions(most);
    INFO(bulk_instructions());
    for (std::size_t count = 0; count < 40; ++count) check_words(count);
    check_words(1001);
  }
  limit_bulk_instructions(best.c_str());
}

TEST_CASE("many conversions at once are those of one word, to the bit") {
  const std::string best = bulk_instructions();
  for (const char* most : {"avx512", "avx2", "scalar"}) {
    limit_bulk_instructions(most);
    INFO(bulk_instructions());
    for (std::size_t count = 0; count < 20; ++count) {
      std::vector<std::uint64_t> words(count);
      fill_words(3, count, words);
      check_conversions(words);
    }
    std::vector<std::uint64_t> words(100'000);
    fill_words(11, 0, words);
    check_conversions(words);
    // The ends of the range, and both sides of the place where the logarithm changes its branch.
    const std::uint64_t turn = 0xb504f333f9de6800;
    check_conversions({0, 1, ~std::uint64_t{0}, std::uint64_t{1} << 63, (std::uint64_t{1} << 63) - 1, turn, turn - 4096,
                       turn + 4096, turn - 8192, turn + 8192, 4095, 4096});
  }
  limit_bulk_instructions(best.c_str());
}

TEST_CASE("unknown instructions and an empty range are refused") {
  CHECK(refused_field([] { limit_bulk_instructions("sse"); }) == "instructions");
  std::vector<std::uint64_t> words(3);
  std::vector<std::uint32_t> places(3);
  CHECK(refused_field([&] { fill_bounded(words, 0, places); }) == "n");
}

}  // namespace retrial::tests::bulk_draws_tests
