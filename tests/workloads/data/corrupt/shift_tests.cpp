// Expected values: arithmetic on the definitions, and the project's own draws one by one.
#include <cmath>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/corrupt/shift.hpp"

namespace retrial::tests::shift_tests {

using namespace retrial;

namespace {

/// Two grey images with values 0 to 16.
data::ImageSet small() {
  data::ImageSet set{.name = "small", .count = 2, .shape = {1, 4, 4}, .classes = 2, .scale = 16, .labels = {0, 1}};
  for (int i = 0; i < 32; ++i) set.pixels.push_back(static_cast<std::uint8_t>(i * 5 % 17));
  return set;
}

std::vector<float> under(const std::string& name, const std::vector<std::uint32_t>& rows = {0, 1}) {
  return corrupt::shifted(small(), rows, corrupt::find_shift(name), 42);
}

double value(std::size_t i) {
  return static_cast<double>(i * 5 % 17) / 16;
}

}  // namespace

TEST_CASE("the digits are tested under thirteen distributions") {
  CHECK(corrupt::shift_names() == std::vector<std::string>{"uniform_1", "uniform_2", "uniform_3", "uniform_4",
                                                           "uniform_5", "gaussian_1", "gaussian_2", "gaussian_3",
                                                           "contrast_1", "brightness_1", "box_blur_1", "shift_1",
                                                           "impulse_1"});
}

TEST_CASE("uniform noise is not clipped, and its draws are those of the kind, the level and the row") {
  const auto got = under("uniform_5");
  for (std::uint32_t row = 0; row < 2; ++row) {
    variance::Stream draws(variance::derive(variance::derive(42, "uniform"), 5U), row);
    for (std::size_t i = 0; i < 16; ++i)
      CHECK(got[row * 16 + i] ==
            static_cast<float>(value(row * 16 + i) + 2 * .5 * (variance::uniform_open(draws.next()) - .5)));
  }
  CHECK(std::any_of(got.begin(), got.end(), [](float v) { return v < 0; }));
}

TEST_CASE("the deviation of uniform noise is that of its range") {
  data::ImageSet set{.name = "grey", .count = 200, .shape = {1, 8, 8}, .classes = 1, .scale = 16};
  set.pixels.assign(200 * 64, 8);
  set.labels.assign(200, 0);
  std::vector<std::uint32_t> rows(200);
  for (std::uint32_t i = 0; i < 200; ++i) rows[i] = i;
  // level / sqrt(3): .0577350269, .1732050808, .2886751346
  for (const auto& [name, sd] :
       {std::pair{"uniform_1", .0577350269}, {"uniform_3", .1732050808}, {"uniform_5", .2886751346}}) {
    double squares = 0;
    for (const float v : corrupt::shifted(set, rows, corrupt::find_shift(name), 42)) squares += (v - .5) * (v - .5);
    CHECK(std::sqrt(squares / 12800) == Approx(sd).epsilon(.02));
  }
}

TEST_CASE("blur, shift, contrast and brightness of the digits are what their formulas say") {
  const auto blurred = under("box_blur_1"), moved = under("shift_1"), flat = under("contrast_1"),
             bright = under("brightness_1");
  CHECK(blurred[0] == static_cast<float>((value(0) + value(1) + value(4) + value(5)) / 9));
  double nine = 0;
  for (const std::size_t i : {0U, 1U, 2U, 4U, 5U, 6U, 8U, 9U, 10U}) nine += value(i);
  CHECK(blurred[5] == Approx(nine / 9).epsilon(1e-6));
  CHECK(moved[4] == static_cast<float>(value(7)));
  CHECK(moved[5] == static_cast<float>(value(4)));
  double mean = 0;
  for (std::size_t i = 0; i < 16; ++i) mean += value(i) / 16;
  CHECK(flat[3] == Approx((value(3) - mean) * .4 + mean).epsilon(1e-6));
  CHECK(bright[0] == .3F);
  CHECK(bright[3] == 1.0F);
}

TEST_CASE("impulse blackens and whitens a twentieth each") {
  data::ImageSet set{.name = "grey", .count = 200, .shape = {1, 8, 8}, .classes = 1, .scale = 16};
  set.pixels.assign(200 * 64, 8);
  set.labels.assign(200, 0);
  std::vector<std::uint32_t> rows(200);
  for (std::uint32_t i = 0; i < 200; ++i) rows[i] = i;
  const auto got = corrupt::shifted(set, rows, corrupt::find_shift("impulse_1"), 42);
  for (const float end : {0.0F, 1.0F})
    CHECK(static_cast<double>(std::count(got.begin(), got.end(), end)) / 12800 == Approx(.05).margin(.008));
}

TEST_CASE("an image alone has the noise it has among others") {
  for (const std::string& name : corrupt::shift_names()) {
    const auto both = under(name), second = under(name, {1});
    CHECK(std::equal(second.begin(), second.end(), both.begin() + 16));
  }
}

TEST_CASE("an unknown distribution is refused with its neighbour") {
  try {
    (void)corrupt::find_shift("unifrom_2");
    CHECK(false);
  } catch (const Error& wrong) {
    CHECK(wrong.text.help == "did you mean uniform_2?");
    CHECK_THAT(wrong.text.allowed, has_text("box_blur_1, brightness_1"));
  }
  CHECK_THROWS_AS(corrupt::find_shift("uniform"), Error);
  CHECK_THROWS_AS(corrupt::find_shift("uniform_6"), Error);
}

}  // namespace retrial::tests::shift_tests
