// The corruption frost on photographs made up for the test (sections 8.1, 8.4 and 17 of the specification of pruning).
#include <cmath>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/workloads/data/corrupt/frost_folder.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/pruning/keys/distributions.hpp"

namespace retrial::corrupt_frost_tests {
using std::string_literals::operator""s;

namespace {

data::ImageSet photographs(int side, int channels) {
  data::ImageSet set{.name = "made", .count = 4, .shape = {channels, side, side}, .classes = 10};
  set.pixels.resize(4 * set.shape.pixels());
  for (std::size_t v = 0; v < set.pixels.size(); ++v) set.pixels[v] = static_cast<std::uint8_t>(31 * v % 256);
  set.labels.assign(4, 0);
  return set;
}

data::ImageSet frozen(const data::ImageSet& set, const std::filesystem::path& folder, int severity,
                      std::uint64_t seed = 5) {
  return corrupt::corrupted(
      set, std::vector<std::uint32_t>{0, 1, 2, 3},
      {.name = "frost", .severity = severity, .seed = seed, .textures = corrupt::load_textures(folder)});
}

const workloads::Declaration& pruning() {
  return workloads::find_workload("pruning", "");
}

Values keys(const Values& given) {
  return workloads::resolved(pruning(), given);
}

}  // namespace

TEST_CASE("photographs are scaled by a fifth: every fifth pixel from the third on, sides rounded", "[needs-jpeg]") {
  if (!test::reads_ice()) return;
  const test::Folder folder;
  test::write_ice(folder.path());
  const auto textures = corrupt::load_textures(folder.path());
  REQUIRE(textures->images.size() == 6);
  const int sides[6][2] = {{180, 120}, {112, 63}, {112, 63}, {105, 70}, {132, 99}, {97, 65}};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(textures->images[i].width == sides[i][0]);
    CHECK(textures->images[i].height == sides[i][1]);
  }
  const corrupt::Texture& second = textures->images[1];
  for (const auto& [y, x] : {std::pair{0, 0}, {13, 57}, {62, 111}})
    for (std::size_t c = 0; c < 3; ++c)
      CHECK(second.rgb[static_cast<std::size_t>(y * 112 + x) * 3 + c] == test::ice(1, 5 * y + 2, 5 * x + 2)[c]);
  for (std::size_t c = 0; c < 3; ++c)
    CHECK(std::abs(textures->images[4].rgb[3000 + c] - test::ice(4, 0, 0)[c]) <= 2);  // JPEG
}

TEST_CASE("frost is a share of the image and a share of a piece of a photograph, both drawn", "[needs-jpeg]") {
  if (!test::reads_ice()) return;
  const test::Folder folder;
  test::write_ice(folder.path());
  const auto textures = corrupt::load_textures(folder.path());
  const data::ImageSet set = photographs(32, 3);
  const double constants[5][2] = {{1, .2}, {1, .3}, {.9, .4}, {.85, .4}, {.75, .45}};
  bool several[6]{};
  for (int severity = 1; severity <= 5; ++severity) {
    const data::ImageSet made = frozen(set, folder.path(), severity);
    for (std::uint32_t image = 0; image < 4; ++image) {
      variance::Stream draws(corrupt::key_of(5, "frost", severity), image);
      const auto u = [&] { return variance::uniform_open(draws.next()); };
      const auto which = static_cast<std::size_t>(5 * u());
      several[which] = true;
      const corrupt::Texture& texture = textures->images[which];
      const int top = static_cast<int>(u() * (texture.height - 32)),
                left = static_cast<int>(u() * (texture.width - 32));
      const auto [a, b] = constants[severity - 1];
      for (const int place : {0, 500, 1023}) {
        const auto at = static_cast<std::size_t>((top + place / 32) * texture.width + left + place % 32) * 3;
        for (std::size_t c = 0; c < 3; ++c) {
          const std::size_t v = c * 1024 + static_cast<std::size_t>(place);
          const double wanted = std::clamp(a * set.image(image)[v] + b * texture.rgb[at + c], 0.0, 255.0);
          CHECK(std::abs(made.image(image)[v] - wanted) <= 1);  // truncated
        }
      }
    }
  }
  CHECK(std::count(several, several + 5, true) >= 3);
  CHECK_FALSE(several[5]);  // the sixth never occurs
}

TEST_CASE("frost depends on the image's row alone, on the photographs, and takes grey images and sides up to 63",
          "[needs-jpeg]") {
  if (!test::reads_ice()) return;
  const test::Folder folder, other;
  test::write_ice(folder.path());
  test::write_ice(other.path());
  test::write_bytes(other.path() / "frost1.png",
                    test::png_bytes(900, 600, std::vector<std::uint8_t>(std::size_t{900} * 600 * 3, 7)));
  const auto a = corrupt::load_textures(folder.path()), b = corrupt::load_textures(other.path());
  CHECK(a->digest != b->digest);
  CHECK(corrupt::load_textures(folder.path())->digest == a->digest);
  const data::ImageSet set = photographs(63, 1);
  const data::ImageSet made = frozen(set, folder.path(), 3);
  const auto alone = corrupt::corrupted(set, std::vector<std::uint32_t>{2}, {"frost", 3, 5, 2, a});
  CHECK(std::equal(alone.pixels.begin(), alone.pixels.end(), made.image(2)));
  CHECK(frozen(set, folder.path(), 3, 6).pixels != made.pixels);
  CHECK_THROWS_WITH(frozen(photographs(64, 1), folder.path(), 3),
                    has_text("frost takes images of at most 63 x 63 pixels, not 64 x 64"));
}

TEST_CASE("without a folder or with a file missing frost is not available, and what is missing is named",
          "[needs-jpeg]") {
  if (!test::reads_ice()) return;
  const test::Folder folder;
  test::write_ice(folder.path());
  CHECK(corrupt::textures_missing(folder.path()).empty());
  CHECK_NOTHROW(corrupt::require_available(corrupt::find("frost"), folder.path()));
  std::filesystem::remove(folder.path() / "frost5.jpg");
  CHECK_THAT(corrupt::textures_missing(folder.path()), has_text("there is no frost5.jpg in "));
  CHECK(corrupt::load_textures(folder.path()) == nullptr);
  CHECK_THROWS_WITH(corrupt::require_available(corrupt::find("frost"), folder.path()), has_text("no frost5.jpg"));
  CHECK_THAT(corrupt::textures_missing(folder.path() / "none"), has_text("there is no folder"));
}

TEST_CASE("a photograph of another size, of another kind, cut short or huge is refused by name, with what was expected",
          "[needs-jpeg]") {
  if (!test::reads_ice()) return;
  const auto refusal = [](const char* name, const std::string& bytes) {
    const test::Folder folder;
    test::write_ice(folder.path());
    test::write_bytes(folder.path() / name, bytes);
    try {
      (void)corrupt::load_textures(folder.path());
    } catch (const Error& error) {
      CHECK(error.text.exit == Exit::usage);
      return std::string(error.what());
    }
    return ""s;
  };
  const std::string jpeg = test::jpeg_bytes(527, 350, test::ice_pixels(3, 527, 350)),
                    png = test::png_bytes(560, 315, test::ice_pixels(1, 560, 315));
  CHECK_THAT(refusal("frost1.png", png),
             has_text("frost1.png") && has_text("560 x 315 pixels") && has_text("PNG, 900 x 600 pixels"));
  CHECK_THAT(refusal("frost2.png", test::png_bytes(561, 315, test::ice_pixels(1, 561, 315))),
             has_text("561 x 315 pixels"));
  CHECK_THAT(refusal("frost2.png", jpeg), has_text("libpng") && has_text("PNG, 560 x 315 pixels"));
  CHECK_THAT(refusal("frost4.jpg", png), has_text("libjpeg") && has_text("JPEG, 527 x 350 pixels"));
  CHECK_THAT(refusal("frost4.jpg", jpeg.substr(0, jpeg.size() / 2)), has_text("damaged or ends too early"));
  CHECK_THAT(refusal("frost2.png", png.substr(0, png.size() / 2)), has_text("libpng"));
  CHECK_THAT(refusal("frost6.jpg", ""), has_text("frost6.jpg"));
  CHECK(refusal("unrelated.txt", "x").empty());
}

TEST_CASE("a study under frost names a folder that has the photographs; their digest is part of its data",
          "[needs-jpeg]") {
  if (!test::reads_ice()) return;
  const test::Folder folder;
  test::write_ice(folder.path());
  const auto none = pruning().validate(keys({{"corruptions", "fog, frost"s}}));
  REQUIRE(none.size() == 1);
  CHECK(none[0].key == "corruptions");
  CHECK_THAT(none[0].problem, has_text("frost is not available: no folder with its six photographs"));
  const auto wrong = pruning().validate(keys({{"corruptions", "frost"s}, {"frost_dir", "/nowhere"s}}));
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0].key == "frost_dir");

  const Values with = keys({{"corruptions", "fog, frost"s}, {"frost_dir", folder.path().string()}}),
               without = keys({{"corruptions", "fog"s}, {"frost_dir", folder.path().string()}});
  CHECK(pruning().validate(with).empty());
  CHECK(pruning().dataset(with, "") != pruning().dataset(without, ""));
  CHECK(pruning().dataset(without, "") == pruning().dataset(keys({{"corruptions", "none"s}}), ""));
  const auto before = pruning().dataset(with, "");
  test::write_bytes(folder.path() / "frost2.png",
                    test::png_bytes(560, 315, std::vector<std::uint8_t>(std::size_t{560} * 315 * 3, 7)));
  CHECK(pruning().dataset(with, "") != before);
  CHECK(workloads::non_default(pruning(), with).count("frost_dir") == 0);
}

TEST_CASE("mix2 has frost where its photographs are, and does without it where no folder is named") {
  CHECK(pruning().validate(keys({{"corruptions", "mix2"s}})).empty());
  CHECK(pruning::wants_textures(keys({{"corruptions", "mix2"s}})));
  CHECK_FALSE(pruning::wants_textures(keys({{"corruptions", "portable"s}})));
  CHECK(pruning::textures_of(keys({{"corruptions", "mix2"s}})) == nullptr);
}

}  // namespace retrial::corrupt_frost_tests
