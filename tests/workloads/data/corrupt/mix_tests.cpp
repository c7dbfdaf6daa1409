// Expected values: the published lists, and draws recomputed word by word.
#include <map>

#include "tests/catch.hpp"
#include "workloads/data/augment/augment.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/corrupt/mix.hpp"

namespace retrial::tests::mix_tests {

using namespace retrial;

namespace {

const data::Shape photo{3, 16, 16};

std::vector<std::uint8_t> ramp() {
  std::vector<std::uint8_t> image(photo.pixels());
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::uint8_t>(i * 7 % 251);
  return image;
}

}  // namespace

TEST_CASE("what is trained on is never tested on, and together the lists are the nineteen") {
  CHECK(corrupt::mix1().size() == 9);
  CHECK(corrupt::mix2().size() == 10);
  for (const auto& row : corrupt::table()) {
    const auto in = [&](const std::vector<std::string>& names) {
      return std::count(names.begin(), names.end(), row.name);
    };
    CHECK(in(corrupt::mix1()) + in(corrupt::mix2()) == 1);
  }
}

TEST_CASE("every corruption that is trained on can be made; those left out of the test are named") {
  CHECK(corrupt::usable(corrupt::mix1()).left_out.empty());
  const auto test = corrupt::usable(corrupt::mix2());
  CHECK(std::count(test.left_out.begin(), test.left_out.end(), "frost") == 1);
  CHECK(test.names.size() + test.left_out.size() == 10);
}

TEST_CASE("a sixth of the images stays clean, the others are shared evenly among names and severities") {
  std::map<std::string, int> names;
  std::map<int, int> severities;
  for (std::uint64_t sample = 0; sample < 5400; ++sample) {
    variance::Stream draws(17, sample);
    const auto choice = corrupt::choose(draws);
    ++names[choice.name], ++severities[choice.severity];
  }
  CHECK(names.size() == 10);
  for (const auto& [name, count] : names) {
    INFO(name);
    CHECK(count == Approx(name.empty() ? 900 : 500).margin(name.empty() ? 110 : 90));  // four deviations
  }
  for (int severity = 1; severity <= 5; ++severity) CHECK(severities[severity] == Approx(900).margin(110));
}

TEST_CASE("no epoch repeats the choices of another, whatever the order of loading") {
  // The worker processes of a common program each drew the same choices, in every epoch.
  const auto& op = data::find_augmentation("mix1");
  const auto choices = [&](std::uint64_t epoch, bool backwards) {
    std::map<std::uint64_t, std::string> found;
    for (std::uint64_t i = 0; i < 50; ++i) {
      const std::uint64_t sample = backwards ? 49 - i : i;
      variance::Stream draws(data::augmentation_key(7, op, epoch).front(), sample);
      const auto choice = corrupt::choose(draws);
      found[sample] = choice.name + std::to_string(choice.severity);
    }
    return found;
  };
  for (std::uint64_t epoch = 0; epoch < 8; ++epoch) {
    CHECK(choices(epoch, false) == choices(epoch, true));
    for (std::uint64_t other = 0; other < epoch; ++other) CHECK(choices(epoch, false) != choices(other, false));
  }
}

TEST_CASE("a mixed image is the corruption of the words it draws, in values") {
  const auto image = ramp();
  for (std::uint64_t sample = 0; sample < 40; ++sample) {
    variance::Stream draws(5, sample), words(5, sample);
    std::vector<float> got(image.size());
    corrupt::corrupt_mix(photo, 255, image.data(), got.data(), draws);
    const bool clean = variance::bounded(words.next(), 6) == 0;
    const auto& name = corrupt::mix1()[variance::bounded(words.next(), 9)];
    const int severity = 1 + static_cast<int>(variance::bounded(words.next(), 5));
    std::vector<std::uint8_t> expected = image;
    if (!clean) corrupt::apply(corrupt::find(name), severity, {photo, image.data()}, expected, words);
    for (std::size_t i = 0; i < got.size(); ++i) REQUIRE(got[i] == static_cast<float>(expected[i]) / 255.0F);
  }
}

TEST_CASE("the augmentation mix1 draws under the name mix, after what changes bytes") {
  const auto image = ramp();
  const data::ImageSet set{.name = "one", .count = 1, .shape = photo, .classes = 1, .pixels = image, .labels = {0}};
  const data::PixelTable table(set, data::no_normalisation(set));
  data::Augmenter augmenter(photo);
  const auto through = [&](const char* name, std::uint64_t epoch, const std::uint8_t* from) {
    const auto& op = data::find_augmentation(name);
    std::vector<float> to(photo.pixels());
    augmenter.convert(op, data::augmentation_key(7, op, epoch), 3, table, from, to.data());
    return to;
  };
  for (std::uint64_t epoch = 0; epoch < 8; ++epoch) {
    variance::Stream draws(variance::derive(variance::derive(7, "mix"), epoch), 3);
    std::vector<float> expected(photo.pixels());
    corrupt::corrupt_mix(photo, 255, image.data(), expected.data(), draws);
    CHECK(through("mix1", epoch, image.data()) == expected);
    data::Augmenter crop(photo);
    const auto& op = data::find_augmentation("crop_flip");
    const std::uint8_t* cut = crop.changed(op, data::augmentation_key(7, op, epoch), 3, image.data());
    CHECK(through("crop_flip+mix1", epoch, image.data()) == through("mix1", epoch, cut));
  }
}

}  // namespace retrial::tests::mix_tests
