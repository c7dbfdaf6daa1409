// Reference values: computed for the specification by a program that is independent of this one.
#include <algorithm>
#include <numeric>

#include "determinism/seeds/seeds.hpp"
#include "results/digest/sha256.hpp"
#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::seeds_tests {

using namespace retrial;
using namespace retrial::determinism;
using variance::derive, variance::source_seed;

namespace {

std::string bits(const std::vector<std::uint8_t>& mask) {
  std::string text;
  for (const std::uint8_t kept : mask) text += kept ? '1' : '0';
  return text;
}

std::string little_endian(const std::vector<std::uint32_t>& values) {
  std::string bytes;
  for (const std::uint32_t value : values)
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

const std::uint64_t order_seed = source_seed(42, "data-order", 7);

}  // namespace

TEST_CASE("source seeds and their children have the reference values") {
  CHECK(order_seed == 0x3e259bea5b9c7d6e);
  CHECK(source_seed(0xdeadbeefcafef00d, "dropout", (std::uint64_t{1} << 63) + 5) == 0xda0f2c82cbd5c83b);
  CHECK(derive(source_seed(1, "init", 0), "conv1.weight") == 0x6dedb29350cb805e);
  CHECK(derive(source_seed(1, "init", 0), "fc.bias") == 0x46f415b1a7436b6c);
  CHECK(derive(order_seed, "order") == 0x3febfe3a82db2f2d);
  CHECK(derive(derive(order_seed, "order"), std::uint64_t{0}) == 0x2e39f8c91161ce13);
  CHECK(derive(derive(order_seed, "order"), std::uint64_t{1}) == 0x057cba04a3b3ad14);
  CHECK(variance::block(order_seed, 5, 0) == std::array<std::uint64_t, 2>{0xb64ee0e78a0b6ab9, 0x690b77b56d6887e3});
}

TEST_CASE("the order of an epoch has the reference values") {
  using Order = std::vector<std::uint32_t>;
  CHECK(epoch_order(order_seed, 10, 0) == Order{9, 5, 0, 1, 6, 2, 3, 4, 8, 7});
  CHECK(epoch_order(order_seed, 10, 1) == Order{4, 6, 5, 0, 2, 3, 7, 8, 9, 1});
  CHECK(epoch_order(source_seed(1, "data-order", 0), 16, 0) ==
        Order{15, 4, 3, 7, 11, 0, 10, 5, 1, 9, 14, 12, 2, 8, 6, 13});
  const Order thousand = epoch_order(order_seed, 1000, 0);
  CHECK(Order(thousand.begin(), thousand.begin() + 5) == Order{526, 16, 982, 934, 260});
  CHECK(results::hex(results::sha256(little_endian(thousand))).substr(0, 16) == "0b48676187a03450");
}

TEST_CASE("an epoch of one sample or of none needs no draw") {
  for (const std::uint64_t seed : {std::uint64_t{0}, order_seed, ~std::uint64_t{0}}) {
    CHECK(epoch_order(seed, 1, 3) == std::vector<std::uint32_t>{0});
    CHECK(epoch_order(seed, 0, 3).empty());
  }
}

TEST_CASE("every epoch visits every sample once, and no two epochs in one order") {
  std::vector<std::vector<std::uint32_t>> seen;
  for (std::uint64_t epoch = 0; epoch < 50; ++epoch) {
    auto order = epoch_order(order_seed, 257, epoch);
    CHECK(std::find(seen.begin(), seen.end(), order) == seen.end());
    seen.push_back(order);
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> all(257);
    std::iota(all.begin(), all.end(), 0u);
    CHECK(order == all);
  }
}

TEST_CASE("dropout masks have the reference values") {
  const std::uint64_t key = source_seed(7, "dropout", 3);
  REQUIRE(key == 0x01cf79479df6fa06);
  CHECK(bits(keep_mask(key, 1, 0.5, 16)) == "0000100011110110");
  CHECK(bits(keep_mask(key, 0, 0.25, 16)) == "1110001111101111");
  // randomness, the table of three keys: M = derive(derive(K, "mask"), 1), keep(0.3)
  CHECK(bits(keep_mask(0x406e6b5de64c0d5d, 1, 0.3, 32)) == "11010111111011110111111101010111");
  CHECK(bits(keep_mask(0, 1, 0.3, 32)) == "11011100101010110100111111110101");
  CHECK(bits(keep_mask(~std::uint64_t{0}, 1, 0.3, 32)) == "11101110111111111111101100100111");
}

TEST_CASE("an element's mask does not depend on how many elements there are") {
  const auto longer = keep_mask(5, 9, 0.4, 1000), shorter = keep_mask(5, 9, 0.4, 37);
  CHECK(std::equal(shorter.begin(), shorter.end(), longer.begin()));
}

TEST_CASE("a drop probability of 1 keeps nothing, of 0 everything") {
  CHECK(bits(keep_mask(5, 0, 1.0, 100)) == std::string(100, '0'));
  CHECK(bits(keep_mask(5, 0, 0.0, 100)) == std::string(100, '1'));
  CHECK(keep_mask(5, 0, 0.5, 0).empty());
}

TEST_CASE("a drop probability outside 0 to 1 is refused by name") {
  for (const double p : {-0.1, 1.0000001, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_WITH(keep_mask(1, 0, p, 4), has_text("p = ") && has_text("[0, 1]"));
}

TEST_CASE("freezing one source leaves the draws of the others unchanged") {
  CHECK(source_seed(9, "init", 4) != source_seed(9, "init", 0));
  const auto before = epoch_order(source_seed(9, "data-order", 4), 50, 2);
  const auto frozen_init = source_seed(9, "init", 0);
  CHECK(frozen_init != source_seed(9, "data-order", 0));
  CHECK(epoch_order(source_seed(9, "data-order", 4), 50, 2) == before);
}

TEST_CASE("a source name is 1 to 64 of a-z, 0-9 and hyphen, and none the harness uses itself") {
  for (const char* good : {"a", "seed", "fuzz", "my-noise-2", "-"}) CHECK(valid_source_name(good));
  CHECK(valid_source_name(std::string(64, 'x')));
  for (const char* bad : {"", "Init", "a b", "a_b", "comparison:kd", "\xc3\xa9", "gate-order", "gate-round",
                          "calibrate", "table", "digits-base", "mnist-base", "subset-base"})
    CHECK_FALSE(valid_source_name(bad));
  CHECK_FALSE(valid_source_name(std::string(65, 'x')));
}

}  // namespace retrial::tests::seeds_tests
