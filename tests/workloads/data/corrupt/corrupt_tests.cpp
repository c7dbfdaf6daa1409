// Requirements on every corruption, whatever its constants; expected values are arithmetic.
#include <cmath>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/images/filters.hpp"

namespace retrial::tests::corrupt_tests {

using namespace retrial;
using Bytes = std::vector<std::uint8_t>;

namespace {

/// Twelve images of smooth shapes with noise, of any shape.
data::ImageSet images(const data::Shape& shape, int scale = 255) {
  data::ImageSet set{.name = "test", .count = 12, .shape = shape, .classes = 3, .scale = scale};
  variance::Stream draws(variance::derive(7, "images"));
  for (std::uint32_t i = 0; i < set.count; ++i) {
    set.labels.push_back(static_cast<std::uint16_t>(i % 3));
    for (int c = 0; c < shape.channels; ++c)
      for (int y = 0; y < shape.height; ++y)
        for (int x = 0; x < shape.width; ++x) {
          const int smooth = (x * (3 + c) + y * 5 + static_cast<int>(i) * 11) % 200;
          const int v = smooth + static_cast<int>(variance::bounded(draws.next(), 56));
          set.pixels.push_back(static_cast<std::uint8_t>(v * scale / 255));
        }
  }
  return set;
}

std::vector<std::uint32_t> all_rows(const data::ImageSet& set) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < set.count; ++row) rows.push_back(row);
  return rows;
}

Bytes image_of(const data::ImageSet& set, std::uint32_t row) {
  return {set.image(row), set.image(row) + set.shape.pixels()};
}

template <typename F>
void for_every_corruption(F&& f) {
  for (const std::string& name : corrupt::available())
    for (int severity = 1; severity <= 5; ++severity) {
      INFO(name << " " << severity);
      f(name, severity);
    }
}

const std::vector<data::Shape> shapes{{3, 32, 32}, {1, 8, 8}, {3, 16, 16}, {1, 28, 28}};

}  // namespace

TEST_CASE("there are nineteen corruptions, twelve of them bit-equal everywhere") {
  CHECK(corrupt::table().size() == 19);
  CHECK(corrupt::portable() == std::vector<std::string>{"gaussian_noise", "shot_noise", "impulse_noise", "defocus_blur",
                                                        "zoom_blur", "fog", "brightness", "contrast", "pixelate",
                                                        "speckle_noise", "gaussian_blur", "saturate"});
}

TEST_CASE("the same images come out on 1, 2 and 8 threads") {
  const auto set = images({3, 32, 32});
  const auto rows = all_rows(set);
  for_every_corruption([&](const std::string& name, int severity) {
    const auto one = corrupt::corrupted(set, rows, {name, severity, 5, 1});
    CHECK(corrupt::corrupted(set, rows, {name, severity, 5, 2}).pixels == one.pixels);
    CHECK(corrupt::corrupted(set, rows, {name, severity, 5, 8}).pixels == one.pixels);
  });
}

TEST_CASE("an image alone is the image among others, and order does not matter while rows travel with it") {
  const auto set = images({3, 16, 16});
  const std::vector<std::uint32_t> rows{4, 9, 2};
  for_every_corruption([&](const std::string& name, int severity) {
    const auto all = corrupt::corrupted(set, all_rows(set), {name, severity, 5});
    const auto some = corrupt::corrupted(set, rows, {name, severity, 5});
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      CHECK(image_of(some, i) == image_of(all, rows[i]));
      CHECK(some.labels[i] == set.labels[rows[i]]);
    }
  });
}

TEST_CASE("every corruption takes every side and channel, and changes something") {
  for (const data::Shape& shape : shapes) {
    const auto set = images(shape);
    for_every_corruption([&](const std::string& name, int severity) {
      INFO(shape.channels << " x " << shape.height << " x " << shape.width);
      const auto changed = corrupt::corrupted(set, all_rows(set), {name, severity, 5});
      REQUIRE(changed.pixels.size() == set.pixels.size());
      CHECK(changed.scale == 255);
      const bool nothing_to_do = name == "saturate" && shape.channels == 1;
      CHECK((corrupt::mean_change(set, all_rows(set), changed) > 0) != nothing_to_do);
    });
  }
}

TEST_CASE("images of another scale are read by it and come out in bytes of 255") {
  const data::Shape shape{1, 8, 8};
  const auto sixteen = images(shape, 16);
  data::ImageSet bytes = sixteen;
  bytes.scale = 255;
  for (std::uint8_t& v : bytes.pixels) v = static_cast<std::uint8_t>(v * 255 / 16);
  // v / 16 is not v * 255 / 16 / 255 to the bit, but a deterministic operator cannot be more than a grey level apart
  const auto a = corrupt::corrupted(sixteen, all_rows(sixteen), {"contrast", 2, 5});
  const auto b = corrupt::corrupted(bytes, all_rows(bytes), {"contrast", 2, 5});
  for (std::size_t i = 0; i < a.pixels.size(); ++i) CHECK(std::abs(a.pixels[i] - b.pixels[i]) <= 1);
}

TEST_CASE("other seeds, severities and rows draw otherwise") {
  const auto set = images({3, 32, 32});
  const Bytes same(set.image(0), set.image(0) + set.shape.pixels());
  const auto with = [&](std::uint64_t seed, int severity, std::uint64_t row) {
    Bytes out(same.size());
    corrupt::apply(corrupt::find("impulse_noise"), severity, {set.shape, same.data()}, out,
                   variance::Stream(corrupt::key_of(seed, "impulse_noise", severity), row));
    return out;
  };
  const Bytes base = with(1, 3, 0);
  CHECK(with(1, 3, 0) == base);
  CHECK(with(2, 3, 0) != base);
  CHECK(with(1, 4, 0) != base);
  CHECK(with(1, 3, 1) != base);
}

TEST_CASE("normal noise with the same draws grows in proportion to its constant before clipping") {
  corrupt::Image grey{{3, 4, 4}, std::vector<double>(48, .5)};
  const auto noisy = [&](double c) {
    variance::Stream draws(3);
    return corrupt::noise::gaussian(grey, {c}, draws).values;
  };
  const auto one = noisy(.01), four = noisy(.04);
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(four[i] - .5 == Approx(4 * (one[i] - .5)).margin(1e-15));
}

TEST_CASE("draws go row by row, column by column, channel by channel") {
  corrupt::Image grey{{3, 2, 2}, std::vector<double>(12, .5)};
  variance::Stream draws(3), again(3);
  const auto noisy = corrupt::noise::gaussian(grey, {1}, draws);
  for (int pixel = 0; pixel < 4; ++pixel)
    for (int c = 0; c < 3; ++c) CHECK(noisy.plane(c)[pixel] == .5 + variance::normal(again.next()));
}

TEST_CASE("impulse noise takes its share of the values and halves it") {
  corrupt::Image grey{{3, 64, 64}, std::vector<double>(3 * 64 * 64, .5)};
  variance::Stream draws(11);
  const auto struck = corrupt::noise::impulse(grey, {.07}, draws).values;
  const auto count = [&](double v) { return static_cast<double>(std::count(struck.begin(), struck.end(), v)) / 12288; };
  CHECK(count(0) == Approx(.035).margin(4 * std::sqrt(.035 / 12288)));  // four deviations of a fixed seed
  CHECK(count(1) == Approx(.035).margin(4 * std::sqrt(.035 / 12288)));
}

TEST_CASE("shot noise keeps the mean and has the variance of counts") {
  corrupt::Image grey{{1, 128, 128}, std::vector<double>(128 * 128, 100 / 255.0)};
  variance::Stream draws(12);
  const auto shot = corrupt::noise::shot(grey, {50}, draws).values;
  double sum = 0, squares = 0;
  for (const double x : shot) sum += x, squares += x * x;
  const double mean = sum / 16384, expected = 100 / 255.0;
  CHECK(mean == Approx(expected).margin(4 * std::sqrt(expected / 50 / 16384)));
  CHECK(squares / 16384 - mean * mean == Approx(expected / 50).epsilon(.05));
}

TEST_CASE("contrast keeps the mean of every channel within a grey level") {
  const auto set = images({3, 32, 32});
  const auto changed = corrupt::corrupted(set, all_rows(set), {"contrast", 3, 5});
  for (std::uint32_t row = 0; row < set.count; ++row)
    for (std::size_t c = 0; c < 3; ++c) {
      int before = 0, after = 0;
      for (std::size_t i = 0; i < 1024; ++i)
        before += set.image(row)[c * 1024 + i], after += changed.image(row)[c * 1024 + i];
      CHECK(std::abs(before - after) <= 1024);
    }
}

TEST_CASE("all 256 greys survive a way through doubles") {
  Bytes greys(256), back(256);
  for (int v = 0; v < 256; ++v) greys[static_cast<std::size_t>(v)] = static_cast<std::uint8_t>(v);
  corrupt::write_bytes(corrupt::image_of({{1, 16, 16}, greys.data()}), back);
  CHECK(back == greys);
}

TEST_CASE("borders replicate, mirror without the edge and mirror with it") {
  using corrupt::Border;
  const auto read = [](Border border) {
    std::string text;
    for (int i = -5; i < 9; ++i) text += "abcd"[corrupt::inside(i, 4, border)];
    return text;
  };
  CHECK(read(Border::replicate) == "aaaaaabcdddddd");
  CHECK(read(Border::reflect101) == "bcdcbabcdcbabc");
  CHECK(read(Border::symmetric) == "ddcbaabcddcbaa");
}

TEST_CASE("a zoom of one is the image itself") {
  const auto set = images({3, 32, 32});
  const auto image = corrupt::image_of({set.shape, set.image(0)});
  CHECK(corrupt::zoomed(image, 1).values == image.values);
}

TEST_CASE("motion at 0 degrees comes from the right, at 90 from below") {
  corrupt::Image dot{{1, 5, 5}, std::vector<double>(25, 0.0)};
  dot.values[12] = 1;
  const std::vector<double> weights{.6, .4};
  CHECK(corrupt::moved(dot, weights, 0).values[11] == .4);
  CHECK(corrupt::moved(dot, weights, 90).values[7] == .4);
  CHECK(corrupt::moved(dot, weights, -90).values[17] == .4);
}

TEST_CASE("names, severities and what is missing are said by name") {
  CHECK_THROWS_WITH(corrupt::find("fogg"), has_text("corruption = fogg: unknown corruption (allowed: brightness, "));
  try {
    (void)corrupt::find("fogg");
  } catch (const Error& wrong) {
    CHECK(wrong.text.help == "did you mean fog?");
  }
  for (const int severity : {0, 6, -1}) {
    CHECK_THROWS_WITH(corrupt::require_severity(severity),
                      has_text("severity = " + std::to_string(severity) + ": out of range (allowed: 1 to 5)"));
  }
  CHECK_THROWS_WITH(corrupt::require_available(corrupt::find("frost")),
                    has_text("not available: no folder with its six photographs"));
  CHECK(corrupt::note_on(corrupt::find("saturate"), {1, 8, 8}) == "saturate does not change gray images");
  CHECK(corrupt::note_on(corrupt::find("saturate"), {3, 8, 8}).empty());
}

}  // namespace retrial::tests::corrupt_tests
