// Expected values: reference values of the specification of corruptions, computed in double for the project and checked
// there against SciPy 1.10 (Gaussian filter, zooms of a ramp) and Pillow 9.4 (box resize). G is the image of the
// augmentation operators; r4 and r8 are grey ramps.
#include <array>
#include <numeric>

#include "results/digest/sha256.hpp"
#include "tests/catch.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/images/filters.hpp"
#include "workloads/data/images/poisson.hpp"

namespace retrial::tests::reference_tests {

using namespace retrial;
using corrupt::Constants;
using corrupt::Image;
using Bytes = std::vector<std::uint8_t>;
using Doubles = std::vector<double>;

namespace {

variance::Stream undrawn(0);

Bytes bytes_of(const Image& image) {
  Bytes bytes(image.values.size());
  corrupt::write_bytes(image, bytes);
  return bytes;
}

Bytes made(const std::string& name, int severity, const data::Shape& shape, const Bytes& from) {
  Bytes to(from.size());
  corrupt::apply(corrupt::find(name), severity, {shape, from.data()}, to, variance::Stream(1));
  return to;
}

void check_close(const Doubles& got, const Doubles& expected, double tolerance) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]).epsilon(0).margin(tolerance));
}

/// Draws 0, 1, 2, ... of the reference fractals.
Doubles reference_plasma(int side, double decay) {
  int i = 0;
  return corrupt::plasma(side, decay, [&i] { return ((7 * i++ + 3) % 16 + .5) / 16; });
}

void check_pixel(const std::string& name, const std::array<int, 3>& from, const std::vector<std::array<int, 3>>& to) {
  for (int severity = 1; severity <= 5; ++severity) {
    INFO(name << " " << severity << " on " << from[0]);
    const Bytes in{static_cast<std::uint8_t>(from[0]), static_cast<std::uint8_t>(from[1]),
                   static_cast<std::uint8_t>(from[2])};
    const Bytes got = made(name, severity, {3, 1, 1}, in);
    for (std::size_t c = 0; c < 3; ++c) CHECK(std::abs(got[c] - to[static_cast<std::size_t>(severity - 1)][c]) <= 1);
  }
}

}  // namespace

TEST_CASE("the kernels of defocus have the reference values") {
  const std::vector<std::array<double, 5>> expected{
      {.3, .4, 0.844973154672599, 0.03712552941041117, 0.0016311819214390958},
      {.4, .5, 0.6193470305571773, 0.0838195058022106, 0.011343736558495075},
      {.5, .6, 0.4452131928381733, 0.11101489301099085, 0.027681808779465796}};
  for (const auto& [radius, alias, centre, edge, corner] : expected) {
    const Doubles kernel = corrupt::disk_kernel(radius, alias);
    CHECK(kernel[12] == Approx(centre).epsilon(1e-14));
    for (const std::size_t at : {7U, 11U, 13U, 17U}) CHECK(kernel[at] == Approx(edge).epsilon(1e-14));
    for (const std::size_t at : {6U, 8U, 16U, 18U}) CHECK(kernel[at] == Approx(corner).epsilon(1e-14));
    CHECK(kernel[0] == 0);
  }
  // k of alias .5 spreads as (k, 1 - 2k, k) along both sides.
  CHECK(corrupt::disk_kernel(.4, .5)[6] == Approx(0.10650697891920076 * 0.10650697891920076).epsilon(1e-14));
  const Doubles plus = corrupt::disk_kernel(1, 1e-1), box = corrupt::disk_kernel(1.5, 1e-1);
  CHECK(plus[7] == Approx(.2));
  CHECK(plus[6] == Approx(0).margin(1e-12));
  CHECK(box[6] == Approx(1.0 / 9));
}

TEST_CASE("the Gaussian filter of an impulse has the reference values") {
  Image impulse{{1, 5, 5}, Doubles(25, 0.0)};
  impulse.values[12] = 1;
  const std::vector<std::array<double, 4>> expected{{.6, 0.440654774427, 0.109878241312, 0.001703536167},
                                                    {.8, 0.248678203786, 0.113853178039, 0.010926157733},
                                                    {1, 0.159155891742, 0.096532928015, 0.021539407688}};
  for (const auto& [sigma, centre, one, two] : expected) {
    const Image blurred = corrupt::filtered(impulse, {.sigma = sigma});
    check_close({blurred.values[12], blurred.values[13], blurred.values[14]}, {centre, one, two}, 1e-12);
  }
}

TEST_CASE("contrast of a grey ramp has the reference bytes") {
  Bytes ramp;
  for (int i = 0; i < 16; ++i) ramp.push_back(static_cast<std::uint8_t>(17 * i));
  const std::vector<Bytes> expected{{31, 44, 57, 70, 82, 95, 108, 121, 133, 146, 159, 172, 184, 197, 210, 223},
                                    {63, 72, 80, 89, 97, 106, 114, 123, 131, 140, 148, 157, 165, 174, 182, 191},
                                    {76, 83, 90, 96, 103, 110, 117, 124, 130, 137, 144, 151, 158, 164, 171, 178},
                                    {89, 94, 99, 104, 109, 114, 119, 124, 130, 135, 140, 145, 150, 155, 160, 165},
                                    {108, 110, 113, 116, 118, 121, 123, 126, 128, 131, 133, 136, 138, 141, 144, 146}};
  for (int severity = 1; severity <= 5; ++severity)
    CHECK(made("contrast", severity, {1, 4, 4}, ramp) == expected[static_cast<std::size_t>(severity - 1)]);
}

TEST_CASE("zoom blur of a ramp has the reference bytes") {
  Image ramp{{1, 8, 8}, {}};
  for (int i = 0; i < 64; ++i) ramp.values.push_back(i / 63.0);
  const auto rows = [&](const Constants& c) {
    const Bytes all = bytes_of(corrupt::blur::zoom(ramp, c, undrawn));
    Bytes two(all.begin(), all.begin() + 8);
    two.insert(two.end(), all.begin() + 32, all.begin() + 40);
    return two;
  };
  CHECK(rows({12}) == Bytes{0, 3, 7, 11, 15, 19, 23, 26, 123, 127, 131, 134, 138, 142, 146, 150});
  CHECK(rows({16}) == Bytes{0, 3, 7, 11, 15, 18, 22, 26, 120, 124, 128, 132, 135, 139, 143, 147});
}

/// By NumPy 2.4.6 and SciPy 1.17.1, in Python: np.arange(1, 1.26, .01) and the like, and of each factor z the center of
/// ceil(n / z) pixels through scipy.ndimage.zoom(..., order=1), trimmed, as hendrycks/robustness has it; the mean in
/// float64, truncated to bytes. No value is nearer than 2e-5 to a whole number. At side 32 the factor
/// 1.2500000000000002 gives 33 pixels, at side 28 the factor 1.1400000000000001 gives 29; of exact
/// hundredths they would be 32 and 28.
TEST_CASE("zoom blur has the factors of NumPy's ranges, last bits included") {
  struct Expected {
    int side, severity, sum;
    std::string sha;
    Bytes first;
  };
  for (const Expected& e :
       std::vector<Expected>{{32, 4, 131823, "27e446c2698f8225", {25, 35, 46, 56, 60, 62, 72, 83}},
                             {32, 5, 132196, "e8987d0ce32051a3", {35, 43, 53, 64, 69, 69, 77, 87}},
                             {28, 2, 100842, "1967b15344620204", {7, 15, 23, 31, 39, 47, 55, 64}},
                             {28, 3, 100993, "f8bcb62e260e3190", {11, 20, 29, 37, 46, 54, 63, 72}}}) {
    INFO("side " << e.side << ", severity " << e.severity);
    Bytes g;
    for (int y = 0; y < e.side; ++y)
      for (int x = 0; x < e.side; ++x)
        g.push_back(static_cast<std::uint8_t>((7 * x + 13 * y + 5 * ((x * y) % 11)) % 256));
    const Bytes got = made("zoom_blur", e.severity, {1, e.side, e.side}, g);
    CHECK(Bytes(got.begin(), got.begin() + 8) == e.first);
    CHECK(std::accumulate(got.begin(), got.end(), 0) == e.sum);
    CHECK(results::hex(results::sha256(std::span<const std::uint8_t>(got))).substr(0, 16) == e.sha);
  }
}

TEST_CASE("the counts of zooms are those the published ranges have, not those of their nominal maxima") {
  const auto& zoom = corrupt::find("zoom_blur");
  const std::array<double, 5> counts{7, 12, 16, 21, 26};
  for (std::size_t s = 0; s < 5; ++s) CHECK(zoom.constants[s][0] == counts[s]);
}

TEST_CASE("plasma fractals have the reference values") {
  check_close(
      reference_plasma(4, 2),
      {0.972222222222, 0.694444444444, 1, 0.986111111111, 0.395833333333, 0.625, 0.715277777778, 0.819444444444, 0,
       0.263888888889, 0.472222222222, 0.555555555556, 0.756944444444, 0.569444444444, 0.631944444444, 0.763888888889},
      1e-12);
  check_close(reference_plasma(4, 3),
              {0.972222222222, 0.752314814815, 1, 0.881944444444, 0.480709876543, 0.617283950617, 0.692129629630,
               0.703703703704, 0, 0.352623456790, 0.472222222222, 0.482253086420, 0.641203703704, 0.592592592593,
               0.655092592593, 0.679012345679},
              1e-12);
  const Doubles large = reference_plasma(32, 3);
  CHECK(std::accumulate(large.begin(), large.end(), 0.0) / 1024 == Approx(0.6234567901234568).epsilon(1e-12));
  CHECK(large.back() == Approx(0.8843688907993784).epsilon(1e-12));
}

TEST_CASE("a plasma fractal of side n takes n^2 - 1 draws") {
  int draws = 0;
  (void)corrupt::plasma(32, 3, [&draws] { return (++draws % 7 + .5) / 7; });
  CHECK(draws == 1023);
}

TEST_CASE("the weights of motion have the reference values") {
  const auto first_five = [](int radius, double sigma) {
    const Doubles weights = corrupt::motion_weights(radius, sigma);
    CHECK(weights.size() == static_cast<std::size_t>(2 * radius + 1));
    return Doubles(weights.begin(), weights.begin() + 5);
  };
  check_close(first_five(6, 1.5), {.420173151, .336448357, .172738346, .056864252, .012002456}, 1e-9);
  check_close(first_five(8, 2), {.332598482, .293517130, .201731177, .107978918, .045012310}, 1e-9);
  check_close(first_five(9, 2.5), {.275232993, .254072075, .199860173, .133970280, .076525038}, 1e-9);
}

TEST_CASE("brightness and saturation of single colours have the reference bytes, within one") {
  check_pixel("brightness", {200, 100, 50},
              {{212, 106, 53}, {225, 112, 56}, {238, 119, 59}, {251, 125, 62}, {255, 127, 63}});
  check_pixel("brightness", {60, 120, 240},
              {{63, 126, 252}, {63, 127, 255}, {63, 127, 255}, {63, 127, 255}, {63, 127, 255}});
  check_pixel("saturate", {200, 100, 50}, {{200, 170, 155}, {200, 189, 185}, {200, 66, 0}, {200, 66, 0}, {200, 66, 0}});
  check_pixel("saturate", {128, 128, 128},
              {{128, 128, 128}, {128, 128, 128}, {128, 128, 128}, {128, 115, 115}, {128, 102, 102}});
  check_pixel("saturate", {60, 120, 240}, {{186, 203, 240}, {222, 227, 240}, {0, 79, 240}, {0, 79, 240}, {0, 79, 240}});
}

TEST_CASE("pixelate has the bits of Pillow") {
  Bytes g(3072);
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 32; ++x)
        g[static_cast<std::size_t>((c * 32 + y) * 32 + x)] =
            static_cast<std::uint8_t>((7 * x + 13 * y + 29 * c + 5 * ((x * y) % 11)) % 256);
  struct Expected {
    int severity;
    std::string sha;
    int sum;
  };
  for (const Expected& e : std::vector<Expected>{{2, "a37c396c5e26dd09", 391973},
                                                 {3, "444d66fce2a37fab", 392162},
                                                 {4, "ff8f58b75ceb6f42", 392435},
                                                 {5, "9821dafda57d963a", 392822}}) {
    const Bytes got = made("pixelate", e.severity, {3, 32, 32}, g);
    Bytes rows;
    for (std::size_t i = 0; i < 1024; ++i)
      for (std::size_t c = 0; c < 3; ++c) rows.push_back(got[c * 1024 + i]);
    CHECK(results::hex(results::sha256(std::span<const std::uint8_t>(rows))).substr(0, 16) == e.sha);
    CHECK(std::accumulate(got.begin(), got.end(), 0) == e.sum);
  }
}

TEST_CASE("the inverse of the Poisson distribution has the reference values") {
  const auto inverse = [](double mean, double u) { return corrupt::Poisson(mean).inverse(u); };
  CHECK(inverse(.5, .5) == 0);
  CHECK(inverse(10, .1) == 6);
  CHECK(inverse(10, .9) == 14);
  CHECK(inverse(500, .5) == 500);
  CHECK(inverse(500, .999) == 571);
  CHECK(inverse(75 * 100 / 255.0, .3) == 26);
  CHECK(inverse(0, .999999) == 0);
  CHECK(inverse(500, 1 - 0x1p-53) < 750);  // rounding may leave no k; the last one then
}

}  // namespace retrial::tests::reference_tests
