// Digests, pixels and sums measured with Pillow 9.4.0 on the image G (x, y, c) = (7x + 13y + 29c + 5 (xy mod 11)) mod
// 256 and on H = 40 + G / 2 (specification of distillation, reference values of the augmentation operators).
#include <numeric>

#include "results/digest/sha256.hpp"
#include "tests/catch.hpp"
#include "workloads/data/augment/autoaugment.hpp"

namespace retrial::tests::photo_tests {

using namespace retrial;
using Bytes = std::vector<std::uint8_t>;
namespace photo = data::photo;

namespace {

constexpr data::Shape shape{3, 32, 32};

Bytes image_g() {
  Bytes g(shape.pixels());
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 32; ++x)
        g[static_cast<std::size_t>((c * 32 + y) * 32 + x)] =
            static_cast<std::uint8_t>((7 * x + 13 * y + 29 * c + 5 * ((x * y) % 11)) % 256);
  return g;
}

Bytes image_h() {
  Bytes h = image_g();
  for (std::uint8_t& v : h) v = static_cast<std::uint8_t>(40 + v / 2);
  return h;
}

/// Digest of the bytes row by row, column by column, channel by channel.
std::string digest(const Bytes& planes) {
  Bytes rows;
  for (std::size_t i = 0; i < 1024; ++i)
    for (std::size_t c = 0; c < 3; ++c) rows.push_back(planes[c * 1024 + i]);
  return results::hex(results::sha256(std::span<const std::uint8_t>(rows))).substr(0, 16);
}

std::vector<int> pixel(const Bytes& planes, std::size_t y, std::size_t x) {
  return {planes[y * 32 + x], planes[1024 + y * 32 + x], planes[2048 + y * 32 + x]};
}

struct Expected {
  std::string sha;
  std::vector<int> at_5_9, at_20_3;
  int sum;
};

template <typename Change>
void check(const Bytes& from, const Expected& expected, Change&& change) {
  Bytes to(from.size());
  change(photo::Picture{shape, from.data(), to.data()});
  CHECK(digest(to) == expected.sha);
  CHECK(pixel(to, 5, 9) == expected.at_5_9);
  CHECK(pixel(to, 20, 3) == expected.at_20_3);
  CHECK(std::accumulate(to.begin(), to.end(), 0) == expected.sum);
}

}  // namespace

TEST_CASE("the images of the reference values are the ones meant") {
  CHECK(digest(image_g()) == "dad78018367fd913");
  CHECK(digest(image_h()) == "e0a2e7ec5513bc17");
  CHECK(photo::mean_grey(shape, image_g().data()) == 127);
}

TEST_CASE("operators on values have the bits of Pillow") {
  const Bytes g = image_g(), h = image_h();
  check(g, {"ebc54b9259f1a4f1", {122, 93, 64}, {205, 176, 147}, 391741}, photo::invert);
  check(h, {"c9ad9c6da9cb3f85", {132, 162, 190}, {50, 78, 108}, 390098}, photo::autocontrast);
  check(g, {"3abe4e172f3bac51", {130, 212, 249}, {52, 108, 145}, 456533}, photo::equalize);
  check(g, {"9c95ac76290fd98f", {122, 93, 64}, {205, 176, 147}, 310421},
        [](const auto& p) { data::apply(p, data::Op::solarize, 8, false); });
  check(g, {"ca815f73fa64fb74", {140, 160, 180}, {57, 77, 97}, 390139}, [](const auto& p) { photo::color(p, .7F); });
  check(g, {"be49f39eaad4ef23", {118, 165, 211}, {35, 82, 128}, 395272}, [](const auto& p) { photo::color(p, 1.6F); });
  check(g, {"0c235110ab1f9d3d", {212, 255, 255}, {80, 126, 172}, 535780},
        [](const auto& p) { photo::brightness(p, 1.6F); });
  check(g, {"62ed48bcc935690c", {138, 167, 196}, {51, 80, 109}, 390331},
        [](const auto& p) { photo::sharpness(p, .7F); });
  check(g, {"17bd864f67ceb618", {122, 151, 180}, {47, 76, 105}, 391442},
        [](const auto& p) { photo::sharpness(p, 1.6F); });
}

TEST_CASE("operators on places have the bits of Pillow") {
  const Bytes g = image_g();
  const auto op = [](data::Op which, int magnitude, bool negative) {
    return [=](const photo::Picture& p) { data::apply(p, which, magnitude, negative); };
  };
  check(g, {"2ba18a64189aec00", {219, 248, 21}, {121, 150, 179}, 382665}, op(data::Op::translate_x, 8, false));
  check(g, {"9b9e4beaf85ea12f", {128, 128, 128}, {106, 135, 164}, 390916}, op(data::Op::translate_y, 9, true));
  check(g, {"33707660c286b22e", {195, 224, 255}, {77, 106, 135}, 391556}, op(data::Op::shear_y, 8, false));
  check(g, {"a525c1f0ee3a6eea", {157, 186, 215}, {22, 51, 80}, 391163}, op(data::Op::rotate, 2, false));
}

TEST_CASE("a rotation by 20 degrees takes the pixels that Pillow's fixed-point arithmetic takes") {
  // Measured with Pillow 9.4.0 on G; with real coefficients one of the 1,024 pixels differs.
  const auto turned = [](bool negative) {
    return [=](const photo::Picture& p) { data::apply(p, data::Op::rotate, 6, negative); };
  };
  const Bytes g = image_g();
  check(g, {"c9e0945ba8b43b90", {160, 189, 218}, {249, 22, 51}, 391531}, turned(false));
  check(g, {"d21f0b85bf3e01f5", {166, 195, 224}, {141, 170, 199}, 397913}, turned(true));
}

TEST_CASE("posterize keeps the upper bits; contrast blends with the mean grey") {
  // By hand: 0b10110111 and 4 bits give 0b10110000; 100 + 1.5 (v - 100) for v = 120 is 130, for v = 10 is -35, clamped.
  const Bytes flat(shape.pixels(), 0b10110111);
  Bytes to(flat.size());
  photo::posterize({shape, flat.data(), to.data()}, 4);
  CHECK(to == Bytes(flat.size(), 0b10110000));
  Bytes from(shape.pixels(), 100);  // its mean grey is 100: one bright and one dark pixel of 1,024 change it by < .5
  from[0] = from[1024] = from[2048] = 120;
  from[1] = from[1025] = from[2049] = 10;
  photo::contrast({shape, from.data(), to.data()}, 1.5F);
  CHECK(pixel(to, 0, 0) == std::vector<int>{130, 130, 130});
  CHECK(pixel(to, 0, 1) == std::vector<int>{0, 0, 0});
}

TEST_CASE("an image of one value passes autocontrast and equalize unchanged") {
  const Bytes flat(shape.pixels(), 77);
  Bytes to(flat.size());
  photo::autocontrast({shape, flat.data(), to.data()});
  CHECK(to == flat);
  photo::equalize({shape, flat.data(), to.data()});
  CHECK(to == flat);
}

TEST_CASE("the policy has 25 pairs with probabilities and magnitude indices in range") {
  for (const data::SubPolicy& pair : data::cifar10_policy())
    for (const data::PolicyStep& step : pair) {
      CHECK(step.probability >= 0);
      CHECK(step.probability <= .9);
      CHECK(step.magnitude >= 0);
      CHECK(step.magnitude <= 9);
    }
  CHECK(data::cifar10_policy()[24][1].op == data::Op::autocontrast);
}

}  // namespace retrial::tests::photo_tests
