// Expected values: arithmetic.
#include <cmath>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "workloads/data/augment/augment.hpp"
#include "workloads/data/files/rational.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/data/split/pixels.hpp"

namespace retrial::tests::exact_tests {

using namespace retrial;

TEST_CASE("shares are read as the decimals or fractions they are written as") {
  CHECK(data::parse_rational(".33")->floor_of(100) == 33);
  CHECK(data::parse_rational("0.29")->floor_of(100) == 29);
  CHECK(data::parse_rational("1/3")->floor_of(200) == 66);
  CHECK(data::parse_rational("2/3")->floor_of(60) == 40);
  CHECK(data::parse_rational("1e-05")->floor_of(100000) == 1);
  CHECK(data::parse_rational("12")->floor_of(1) == 12);
  CHECK(data::parse_rational("0.999999999999999999")->floor_of(1000000000) == 999999999);
}

TEST_CASE("what is no share is not read as one") {
  for (const char* text :
       {"", ".", "1/0", "1/", "/3", "-1", "1.5/2", "1..2", "x", "1e5", "1e-30", "0.1234567890123456789", "1/3/4", " 1"})
    CHECK_FALSE(data::parse_rational(text).has_value());
}

TEST_CASE("a computed share falls back to its double") {
  CHECK(data::floor_of_share(.29, 100) == 29);
  CHECK(data::floor_of_share(1e-300, 1000) == 0);
  CHECK(data::floor_of_share(0, 1000) == 0);
}

TEST_CASE("a pixel without normalisation is the byte divided by the scale") {
  const data::ImageSet& set = data::digits();
  const data::PixelTable table(set, data::no_normalisation(set));
  std::vector<float> image(64);
  table.convert(set.image(0), image.data());
  for (std::size_t i = 0; i < image.size(); ++i) CHECK(image[i] == static_cast<float>(set.image(0)[i]) / 16.0F);
}

TEST_CASE("computed normalisation is the population mean and deviation of the rows") {
  const data::ImageSet set{.name = "four",
                           .count = 2,
                           .shape = {2, 1, 2},
                           .classes = 2,
                           .scale = 10,
                           .pixels = {0, 10, 5, 5, 20, 10, 5, 5},
                           .labels = {0, 1}};
  const std::vector<std::uint32_t> rows{0, 1};
  const data::Normalisation found = data::computed_normalisation(set, rows);
  CHECK_THAT(found.mean[0], WithinRel(1.0, 1e-15));
  CHECK_THAT(found.sd[0], WithinRel(std::sqrt(.5), 1e-15));  // values 0 1 2 1
  CHECK_THAT(found.mean[1], WithinRel(.5, 1e-15));
  CHECK(found.sd[1] == 1);  // no spread
  std::vector<float> image(4);
  data::PixelTable(set, found).convert(set.image(0), image.data());
  CHECK_THAT(image[0], WithinRel(-std::sqrt(2.0F), 1e-6F));
  CHECK(image[1] == 0);
}

TEST_CASE("a shift moves pixels and fills with zeros") {
  const data::Shape shape{1, 2, 3};
  const std::vector<std::uint8_t> from{1, 2, 3, 4, 5, 6};
  std::vector<std::uint8_t> to(6, 9);
  data::shift(shape, from.data(), to.data(), 1, 0);
  CHECK(to == std::vector<std::uint8_t>{0, 0, 0, 1, 2, 3});
  data::shift(shape, from.data(), to.data(), 0, -1);
  CHECK(to == std::vector<std::uint8_t>{2, 3, 0, 5, 6, 0});
  data::shift(shape, from.data(), to.data(), -1, 1);
  CHECK(to == std::vector<std::uint8_t>{0, 4, 5, 0, 0, 0});
}

}  // namespace retrial::tests::exact_tests
