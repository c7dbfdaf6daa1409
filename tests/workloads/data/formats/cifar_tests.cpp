// Values of the real photographs: the specification's section on data, measured with NumPy on the shared files.
#include <numeric>

#include "results/text/error.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/files/downscale.hpp"
#include "workloads/data/formats/cifar.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/data/sets/describe.hpp"
#include "workloads/data/sets/registry.hpp"
#include "workloads/data/split/pixels.hpp"
#include "workloads/data/split/split.hpp"

namespace retrial::tests::cifar_tests {

using namespace retrial;
using test::cifar10_record, test::write_bytes;

namespace {

std::string content_problem(const std::filesystem::path& folder) {
  try {
    (void)data::load_cifar10(folder);
  } catch (const Error& wrong) {
    return wrong.what();
  }
  return "";
}

void write_small(const std::filesystem::path& folder) {
  write_bytes(folder / "data_batch_2.bin", cifar10_record(2, 20) + cifar10_record(3, 30));
  write_bytes(folder / "data_batch_1.bin", cifar10_record(1, 10));
  write_bytes(folder / "test_batch.bin", cifar10_record(9, 90));
}

}  // namespace

TEST_CASE("CIFAR-10 batches are read in the order of their numbers, the test batch last") {
  const test::Folder folder;
  write_small(folder.path());
  const data::ImageSet set = data::load_cifar10(folder.path());
  CHECK(set.count == 4);
  CHECK(set.labels == std::vector<std::uint16_t>{1, 2, 3, 9});
  CHECK(set.pixels.size() == 4 * 3072);
  for (std::uint32_t row = 0; row < 4; ++row)
    CHECK(std::count(set.image(row), set.image(row) + 3072, std::array<int, 4>{10, 20, 30, 90}[row]) == 3072);
  CHECK(set.published.train == 3);
  CHECK(set.published.test == 1);
  CHECK(set.name == "cifar10-unofficial");
}

TEST_CASE("the parent of the unpacked CIFAR-10 archive serves as well as its folder") {
  const test::Folder folder;
  write_small(folder.path() / "cifar-10-batches-bin");
  CHECK(data::identity(data::load_cifar10(folder.path())) ==
        data::identity(data::load_cifar10(folder.path() / "cifar-10-batches-bin")));
}

TEST_CASE("size and SHA-256 of every file read are recorded, no digest when only sizes are asked for") {
  const test::Folder folder;
  write_small(folder.path());
  const data::ImageSet set = data::load_cifar10(folder.path());
  REQUIRE(set.files.size() == 3);
  CHECK(set.files[1].name == "data_batch_2.bin");
  CHECK(set.files[1].bytes == 2 * 3073);
  CHECK(set.files[1].sha256 == results::sha256_file(folder.path() / "data_batch_2.bin"));
  const data::ImageSet unhashed = data::load_cifar10(folder.path(), false);
  CHECK_FALSE(unhashed.files[1].sha256.has_value());
  CHECK(unhashed.name == "cifar10-unofficial");
  CHECK(data::identity(unhashed) == data::identity(set));
}

TEST_CASE("a CIFAR-10 file that is cut names its size and the size of a record") {
  const test::Folder folder;
  write_small(folder.path());
  write_bytes(folder.path() / "data_batch_2.bin", cifar10_record(0, 0) + "x");
  CHECK_THAT(content_problem(folder.path()),
             has_text("data_batch_2.bin: 3074 bytes is not a whole number of 3073-byte records"));
  write_bytes(folder.path() / "data_batch_2.bin", "");
  CHECK_THAT(content_problem(folder.path()), has_text("data_batch_2.bin: 0 bytes"));
}

TEST_CASE("a CIFAR-10 label out of range names record, byte offset and the labels expected") {
  const test::Folder folder;
  write_small(folder.path());
  write_bytes(folder.path() / "test_batch.bin", cifar10_record(9, 0) + cifar10_record(10, 0));
  CHECK_THAT(content_problem(folder.path()),
             has_text("test_batch.bin: label 10 in record 1, byte offset 3073: expected 0 to 9"));
}

TEST_CASE("missing CIFAR-10 files end with 4, and the Python version is recognised") {
  const test::Folder folder;
  const auto exit_of = [&] {
    try {
      (void)data::load_cifar10(folder.path());
    } catch (const Error& wrong) {
      return std::pair(wrong.text.exit, wrong.text.help);
    }
    return std::pair(Exit::ok, std::string());
  };
  CHECK(exit_of().first == Exit::incomparable);
  write_bytes(folder.path() / "data_batch_1", "pickle");
  CHECK_THAT(exit_of().second, has_text("Python version"));
  write_bytes(folder.path() / "data_batch_1.bin", cifar10_record(0, 0));
  CHECK_THAT(content_problem(folder.path()), has_text("test_batch.bin: no such file"));
}

TEST_CASE("the registry gives out one copy of a set until its files change") {
  const test::Folder folder;
  write_small(folder.path());
  const data::DataSetInfo& info = *data::find_data_set("cifar10");
  const auto first = info.load({.folder = folder.path()});
  CHECK(info.load({.folder = folder.path()}) == first);
  CHECK(info.load({.folder = folder.path(), .hash = false}) != first);
  write_bytes(folder.path() / "test_batch.bin", cifar10_record(8, 90) + cifar10_record(7, 90));
  CHECK(info.load({.folder = folder.path()})->published.test == 2);
}

TEST_CASE("ten thousand real photographs have the measured labels, pixels and file digests", "[needs-data]") {
  const auto folder = test::real_data("cifar10-jpeg");
  if (!folder) return;
  const data::ImageSet set = data::load_cifar10(*folder);
  REQUIRE(set.count == 12000);
  CHECK(set.name == "cifar10-unofficial");
  CHECK(set.published.train == 10000);
  CHECK(set.labels[0] == 2);
  CHECK(std::vector<int>(set.image(0), set.image(0) + 4) == std::vector<int>{77, 83, 118, 110});
  CHECK(set.labels[10000] == 4);
  CHECK(std::vector<int>(set.image(10000), set.image(10000) + 4) == std::vector<int>{140, 153, 156, 153});
  CHECK(results::hex(*set.files[0].sha256) == "317141c413587b8b414340572f713c19369f828a0b8aed21977581c5849c151f");
  CHECK(results::hex(*set.files[1].sha256) == "245e25d7cee553b07127d0cdfee7775f79e02b55922347cadb76ac560bd69246");
  std::vector<int> counts(10);
  for (const std::uint16_t label : set.labels) ++counts[label];
  CHECK(counts == std::vector<int>(10, 1200));
}

TEST_CASE("CIFAR-100 keeps the fine label as class and the coarse one with it") {
  const test::Folder folder;
  const auto record = [](int coarse, int fine) {
    return std::string(1, static_cast<char>(coarse)) + test::cifar10_record(fine, fine);
  };
  write_bytes(folder.path() / "cifar-100-binary" / "train.bin", record(19, 99) + record(0, 5));
  write_bytes(folder.path() / "cifar-100-binary" / "test.bin", record(3, 42));
  const data::ImageSet set = data::load_cifar100(folder.path());
  CHECK(set.labels == std::vector<std::uint16_t>{99, 5, 42});
  CHECK(set.coarse == std::vector<std::uint16_t>{19, 0, 3});
  CHECK(set.image(2)[3071] == 42);
  CHECK(set.published.train == 2);
  CHECK(set.name == "cifar100-unofficial");
  write_bytes(folder.path() / "cifar-100-binary" / "test.bin", record(20, 42));
  CHECK_THROWS_WITH(data::load_cifar100(folder.path()),
                    has_text("test.bin: label 20 in record 0, byte offset 0: expected 0 to 19"));
  write_bytes(folder.path() / "cifar-100-binary" / "test.bin", record(1, 42) + record(1, 100));
  CHECK_THROWS_WITH(data::load_cifar100(folder.path()),
                    has_text("label 100 in record 1, byte offset 3075: expected 0 to 99"));
}

TEST_CASE("CIFAR-100's names are read from its lists, and a list of another length is refused") {
  const test::Folder folder;
  const auto record = [](int coarse, int fine) {
    return std::string(1, static_cast<char>(coarse)) + test::cifar10_record(fine, fine);
  };
  const auto names = [](const std::string& word, int count, const std::string& end) {
    std::string lines;
    for (int i = 0; i < count; ++i) lines += word + std::to_string(i) + end;
    return lines;
  };
  write_bytes(folder.path() / "train.bin", record(19, 99) + record(0, 5));
  write_bytes(folder.path() / "test.bin", record(3, 42));
  CHECK(data::load_cifar100(folder.path()).class_names.empty());
  write_bytes(folder.path() / "fine_label_names.txt", names("fine", 100, "\r\n") + "\n");  // ends with an empty line
  write_bytes(folder.path() / "coarse_label_names.txt", names("coarse", 20, "\n"));
  const auto set = std::make_shared<const data::ImageSet>(data::load_cifar100(folder.path()));
  CHECK(set->class_names[42] == "fine42");
  CHECK(set->coarse_names[19] == "coarse19");
  const data::Description found = data::describe(set);
  CHECK(found.class_counts[42] == 1);
  CHECK(found.coarse_counts == [] {
    std::vector<std::uint32_t> counts(20, 0);
    counts[0] = counts[3] = counts[19] = 1;
    return counts;
  }());
  write_bytes(folder.path() / "coarse_label_names.txt", names("coarse", 19, "\n"));
  CHECK_THROWS_WITH(data::load_cifar100(folder.path()), has_text("19 names, expected 20"));
}

TEST_CASE("the real photographs have the measured channel means and deviations", "[needs-data]") {
  const auto folder = test::real_data("cifar10-jpeg");
  if (!folder) return;
  const data::ImageSet set = data::load_cifar10(*folder);
  std::vector<std::uint32_t> train(10000), rest(2000);
  std::iota(train.begin(), train.end(), 0U);
  std::iota(rest.begin(), rest.end(), 10000U);
  const data::Normalisation first = data::computed_normalisation(set, train);
  const data::Normalisation second = data::computed_normalisation(set, rest);
  const std::array<std::array<double, 3>, 3> expected{
      {{.4934032, .4831154, .4470490}, {.2460356, .2440557, .2615669}, {.4971227, .4880693, .4549344}}};
  for (std::size_t c = 0; c < 3; ++c) {
    CHECK_THAT(first.mean[c], WithinAbs(expected[0][c], 5e-8));
    CHECK_THAT(first.sd[c], WithinAbs(expected[1][c], 5e-8));
    CHECK_THAT(second.mean[c], WithinAbs(expected[2][c], 5e-8));
  }
  const auto split = data::make_split(set, data::Rule::published, std::nullopt, 0);
  CHECK(std::vector<std::uint32_t>(split.train.begin(), split.train.begin() + 5) ==
        std::vector<std::uint32_t>{6290, 5932, 4134, 165, 3759});
  CHECK(test::rows_digest(split.train) == "7e9cf3f835b94d68");
  CHECK(split.test == rest);
}

TEST_CASE("downscaling averages blocks and rounds half up") {
  const data::ImageSet set{.name = "one",
                           .count = 1,
                           .shape = {1, 2, 4},
                           .classes = 1,
                           .pixels = {0, 1, 255, 255, 1, 0, 255, 254},
                           .labels = {0},
                           .class_names = {},
                           .files = {},
                           .published = {}};
  const data::ImageSet half = data::downscaled(set, 2);  // (2 + 2) / 4 = 1 and (1019 + 2) / 4 = 255
  CHECK(half.pixels == std::vector<std::uint8_t>{1, 255});
  CHECK(half.shape == data::Shape{1, 1, 2});
  CHECK(data::downscaled(set, 1).pixels == set.pixels);
  CHECK_THROWS_AS(data::downscaled(set, 4), InvalidInput);
  CHECK_THROWS_AS(data::downscaled(set, 3), InvalidInput);
  CHECK(data::find_data_set("digits")->load({.downscale = 2})->shape == data::Shape{1, 4, 4});
}

TEST_CASE("a photograph is downscaled by planes") {
  const test::Folder folder;
  std::string record(3073, '\0');
  for (std::size_t i = 0; i < 3072; ++i) record[1 + i] = static_cast<char>(i / 1024 * 80 + i % 1024 / 32 / 4 * 2);
  write_bytes(folder.path() / "data_batch_1.bin", record);
  write_bytes(folder.path() / "test_batch.bin", record);
  const auto small = data::find_data_set("cifar10")->load({.folder = folder.path(), .downscale = 4});
  REQUIRE(small->shape == data::Shape{3, 8, 8});
  for (std::size_t i = 0; i < 192; ++i) CHECK(small->image(1)[i] == i / 64 * 80 + i % 64 / 8 * 2);
}

TEST_CASE("the printed normalisations of CIFAR-10 and CIFAR-100 are known by name") {
  data::ImageSet set{.name = "cifar10-unofficial",
                     .shape = {3, 32, 32},
                     .pixels = {},
                     .labels = {},
                     .class_names = {},
                     .files = {},
                     .published = {}};
  CHECK(data::make_normalisation("paper", set, {}).sd == std::vector<double>{.2023, .1994, .2010});
  CHECK(data::make_normalisation("common", set, {}).sd == std::vector<double>{.2470, .2435, .2616});
  set.name = "cifar100";
  CHECK(data::make_normalisation("paper", set, {}).mean == std::vector<double>{.507, .487, .441});
  CHECK(data::make_normalisation("common", set, {}).sd == std::vector<double>{.2675, .2565, .2761});
  set.name = "mnist";
  CHECK_THROWS_WITH(data::make_normalisation("paper", set, {}), has_text("normalise = paper"));
  CHECK_THROWS_AS(data::make_normalisation("papers", set, {}), InvalidInput);
  CHECK(data::make_normalisation("none", set, {}).sd == std::vector<double>{1, 1, 1});
  CHECK(data::make_normalisation("default", data::digits(), {}).sd == std::vector<double>{1});
}

TEST_CASE("values that came as floats are normalised to within one rounding of the table of bytes") {
  data::ImageSet set = data::digits();
  const data::PixelTable table(set, {.mean = {.3}, .sd = {.25}});
  std::vector<float> direct(64), unit(64), normalised(64);
  table.convert(set.image(3), direct.data());
  table.unit(set.image(3), unit.data());
  table.normalise(unit.data(), normalised.data());
  CHECK(normalised == direct);  // sixteenths are exact in float32
}

}  // namespace retrial::tests::cifar_tests
