// The draws of each operator, recomputed from the specification of randomness.
#include <cmath>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "workloads/data/augment/augment.hpp"
#include "workloads/data/formats/embedded.hpp"

namespace retrial::tests::augment_tests {

using namespace retrial;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr data::Shape photo{3, 32, 32};

Bytes changed(const std::string& name, const data::Shape& shape, const Bytes& image, std::uint64_t sample,
              std::uint64_t epoch = 0) {
  const data::Operator& op = data::find_augmentation(name);
  data::Augmenter augmenter(shape);
  const std::uint8_t* bytes = augmenter.changed(op, data::augmentation_key(7, op, epoch), sample, image.data());
  return {bytes, bytes + shape.pixels()};
}

variance::Stream draws_of(const std::string& step, std::uint64_t sample, std::uint64_t epoch = 0) {
  return variance::Stream(variance::derive(variance::derive(std::uint64_t{7}, step), epoch), sample);
}

Bytes ramp(const data::Shape& shape) {
  Bytes image(shape.pixels());
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::uint8_t>(1 + i * 31 % 255);
  return image;
}

/// One image through an operator, as a network would read it without normalisation.
std::vector<float> values_of(const std::string& name, std::uint64_t sample) {
  const data::ImageSet& set = data::digits();
  const data::Operator& op = data::find_augmentation(name);
  std::vector<float> to(64);
  data::Augmenter(set.shape).convert(op, data::augmentation_key(7, op, 2), sample,
                                     data::PixelTable(set, data::no_normalisation(set)), set.image(5), to.data());
  return to;
}

}  // namespace

TEST_CASE("shift1 draws dy, then dx, from the stream of its sample alone") {
  const data::ImageSet& set = data::digits();
  const Bytes image(set.image(5), set.image(5) + 64);
  Bytes expected(64);
  for (std::uint64_t sample = 0; sample < 20; ++sample) {
    variance::Stream draws = draws_of("shift1", sample, 3);
    const int dy = static_cast<int>(variance::bounded(draws.next(), 3)) - 1,
              dx = static_cast<int>(variance::bounded(draws.next(), 3)) - 1;
    data::shift(set.shape, image.data(), expected.data(), dy, dx);
    CHECK(changed("shift1", set.shape, image, sample, 3) == expected);
  }
}

TEST_CASE("all nine shifts occur about equally often") {
  // 9,000 draws of 9 cells: chi-square with 8 degrees of freedom; 26.12 is its .999 quantile.
  const Bytes centre{0, 0, 0, 0, 1, 0, 0, 0, 0};
  std::vector<double> counts(9, 0);
  for (std::uint64_t sample = 0; sample < 9000; ++sample) {
    const Bytes to = changed("shift1", {1, 3, 3}, centre, sample);
    for (std::size_t i = 0; i < 9; ++i) counts[i] += to[i];
  }
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - 1000) * (count - 1000) / 1000;
  CHECK(chi_square < 26.12);
}

TEST_CASE("crop_flip cuts the padded image at dy, dx and then mirrors it") {
  const Bytes image = ramp(photo);
  int mirrored = 0;
  for (std::uint64_t sample = 0; sample < 40; ++sample) {
    variance::Stream draws = draws_of("crop_flip", sample);
    const int dy = static_cast<int>(variance::bounded(draws.next(), 9)),
              dx = static_cast<int>(variance::bounded(draws.next(), 9));
    const bool mirror = variance::bounded(draws.next(), 2) == 1;
    mirrored += mirror ? 1 : 0;
    Bytes expected(photo.pixels(), 0);
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) {
          const int row = y + dy - 4, column = (mirror ? 31 - x : x) + dx - 4;
          if (row >= 0 && row < 32 && column >= 0 && column < 32)
            expected[static_cast<std::size_t>((c * 32 + y) * 32 + x)] =
                image[static_cast<std::size_t>((c * 32 + row) * 32 + column)];
        }
    CHECK(changed("crop_flip", photo, image, sample) == expected);
  }
  CHECK(mirrored > 5);
  CHECK(mirrored < 35);
}

TEST_CASE("noise adds .1 of one normal draw to each value and stays within 0 and 1") {
  variance::Stream draws = draws_of("noise", 11, 2);
  const std::vector<float> noisy = values_of("noise", 11);
  for (std::size_t i = 0; i < 64; ++i) {
    const double clean = data::digits().image(5)[i] / 16.0;
    CHECK(noisy[i] == static_cast<float>(std::min(1.0, std::max(0.0, clean + .1 * variance::normal(draws.next())))));
  }
}

TEST_CASE("subpixel moves an image by parts of a pixel between its neighbours") {
  variance::Stream draws = draws_of("subpixel", 4, 2);
  const double dy = variance::uniform(draws.next(), -.5, .5), dx = variance::uniform(draws.next(), -.5, .5);
  const auto at = [](int y, int x) {
    return y < 0 || x < 0 || y > 7 || x > 7 ? 0.0 : data::digits().image(5)[y * 8 + x] / 16.0;
  };
  const std::vector<float> moved = values_of("subpixel", 4);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) {
      double expected = 0;  // weights of all pixels: a tent of half-width 1 around the place read
      for (int v = 0; v < 8; ++v)
        for (int u = 0; u < 8; ++u)
          expected += at(v, u) * std::max(0.0, 1 - std::abs(y - dy - v)) * std::max(0.0, 1 - std::abs(x - dx - u));
      CHECK_THAT(moved[static_cast<std::size_t>(y * 8 + x)], WithinAbs(expected, 1e-6));
    }
}

TEST_CASE("a shift of whole and of half pixels is exact") {
  const std::vector<float> row{4, 8, 0, 2};
  std::vector<float> to(4);
  data::shift({1, 1, 4}, row.data(), to.data(), 0.0, 1.0);
  CHECK(to == std::vector<float>{0, 4, 8, 0});
  data::shift({1, 1, 4}, row.data(), to.data(), 0.0, -.5);
  CHECK(to == std::vector<float>{6, 4, 1, 1});
}

TEST_CASE("autoaugment consumes index, u1, sign1, u2, sign2 and applies what they say") {
  const Bytes image = ramp(photo);
  for (std::uint64_t sample = 0; sample < 60; ++sample) {
    variance::Stream draws = draws_of("autoaugment", sample);
    const data::SubPolicy& pair = data::cifar10_policy()[variance::bounded(draws.next(), 25)];
    Bytes expected = image, next(image.size());
    for (const data::PolicyStep& step : pair) {
      const double u = variance::uniform(draws.next());
      const bool negative = variance::bounded(draws.next(), 2) == 1;
      if (u >= step.probability) continue;
      data::apply({photo, expected.data(), next.data()}, step.op, step.magnitude, negative);
      expected = next;
    }
    CHECK(changed("autoaugment", photo, image, sample) == expected);
  }
}

TEST_CASE("rotate_sign = positive changes rotations and nothing else") {
  const Bytes image = ramp(photo);
  int differ = 0;
  for (std::uint64_t sample = 0; sample < 400; ++sample) {
    variance::Stream draws = draws_of("autoaugment", sample);
    const bool rotates = variance::bounded(draws.next(), 25) == 1;  // the only pair with a rotation
    const bool equal =
        changed("autoaugment", photo, image, sample) == changed("autoaugment_positive", photo, image, sample);
    if (!rotates) CHECK(equal);
    differ += equal ? 0 : 1;
  }
  CHECK(differ > 0);
  CHECK(&data::find_augmentation("crop_flip+autoaugment", data::RotateSign::positive) ==
        &data::find_augmentation("crop_flip+autoaugment_positive"));
  CHECK(&data::find_augmentation("shift1", data::RotateSign::positive) == &data::find_augmentation("shift1"));
}

TEST_CASE("steps of a chain keep the draws they have alone") {
  const Bytes image = ramp(photo);
  for (std::uint64_t sample = 0; sample < 10; ++sample)
    CHECK(changed("crop_flip+autoaugment", photo, image, sample) ==
          changed("autoaugment", photo, changed("crop_flip", photo, image, sample), sample));
}

TEST_CASE("what an operator does to a sample depends on the epoch and on nothing before it") {
  const Bytes image = ramp(photo);
  for (const data::Operator& op : data::augmentations()) {
    CAPTURE(op.name);
    data::Augmenter augmenter(photo);
    const data::ImageSet set{.name = "one",
                             .count = 1,
                             .shape = photo,
                             .classes = 1,
                             .pixels = image,
                             .labels = {0},
                             .class_names = {},
                             .files = {},
                             .published = {}};
    const data::PixelTable table(set, data::no_normalisation(set));
    const auto through = [&](std::uint64_t sample, std::uint64_t epoch) {
      std::vector<float> to(photo.pixels());
      augmenter.convert(op, data::augmentation_key(7, op, epoch), sample, table, image.data(), to.data());
      return to;
    };
    const auto first = through(3, 0);
    int others = 0;
    for (std::uint64_t epoch = 1; epoch < 20; ++epoch) others += through(3, epoch) != first ? 1 : 0;
    CHECK(others > 5);
    CHECK(through(3, 0) == first);
  }
}

TEST_CASE("an unknown augmentation, or one for photographs on grey images, is refused") {
  CHECK_THROWS_AS(data::find_augmentation("blur"), InvalidInput);
  CHECK_THAT(data::augmentation_problem(data::find_augmentation("autoaugment"), {1, 8, 8}), has_text("3 channels"));
  CHECK(data::augmentation_problem(data::find_augmentation("crop_flip"), {1, 8, 8}).empty());
}

}  // namespace retrial::tests::augment_tests
