// Mean and deviation of the real images: the specification's reference values of data, measured with NumPy.
#include "results/text/error.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/formats/idx.hpp"
#include "workloads/data/sets/registry.hpp"
#include "workloads/data/split/pixels.hpp"
#include "workloads/data/split/split.hpp"

namespace retrial::tests::idx_tests {

using namespace retrial;
using test::gzipped, test::idx_images, test::idx_labels, test::write_bytes;

namespace {

std::string problem_of(const std::filesystem::path& folder) {
  try {
    (void)data::load_mnist("mnist", folder, "t10k");
  } catch (const Error& wrong) {
    CHECK(wrong.text.exit == Exit::usage);
    return wrong.what();
  }
  return "";
}

void write_t10k(const std::filesystem::path& folder, const std::string& images, const std::string& labels) {
  write_bytes(folder / "t10k-images-idx3-ubyte", images);
  write_bytes(folder / "t10k-labels-idx1-ubyte", labels);
}

}  // namespace

TEST_CASE("IDX files are read plain and gzip'd with the same result") {
  const test::Folder plain, packed;
  const std::string images = idx_images({1, 2, 3, 4, 5}), labels = idx_labels("\x01\x02\x03\x04\x05");
  write_t10k(plain.path(), images, labels);
  write_bytes(packed.path() / "t10k-images-idx3-ubyte.gz", gzipped(images));
  write_bytes(packed.path() / "t10k-labels-idx1-ubyte.gz", gzipped(labels));
  const data::ImageSet set = data::load_mnist("mnist", plain.path(), "t10k");
  CHECK(set.count == 5);
  CHECK(set.labels == std::vector<std::uint16_t>{1, 2, 3, 4, 5});
  CHECK(set.image(2)[783] == 3);
  CHECK(set.name == "mnist-unofficial");
  CHECK(set.published.train == 4);
  CHECK(set.published.test == 1);
  CHECK(data::identity(set) == data::identity(data::load_mnist("mnist", packed.path(), "t10k")));
}

TEST_CASE("training files come before test files") {
  const test::Folder folder;
  write_t10k(folder.path(), idx_images({9}), idx_labels("\x09"));
  write_bytes(folder.path() / "train-images-idx3-ubyte", idx_images({1, 2}));
  write_bytes(folder.path() / "train-labels-idx1-ubyte", idx_labels("\x01\x02"));
  const data::ImageSet set = data::load_mnist("fashion", folder.path(), "");
  CHECK(set.labels == std::vector<std::uint16_t>{1, 2, 9});
  CHECK(set.published.train == 2);
  CHECK(set.published.test == 1);
  CHECK(set.published.base.empty());
}

TEST_CASE("where the test images lie alone, the missing training images say how these can be divided") {
  const test::Folder folder;
  write_t10k(folder.path(), idx_images({9}), idx_labels("\x09"));
  try {
    (void)data::load_mnist("mnist", folder.path(), "");
    FAIL("nothing was refused");
  } catch (const Error& error) {
    CHECK_THAT(error.text.problem, has_text("no such file"));
    CHECK_THAT(error.text.help, has_text("files = t10k"));
  }
}

TEST_CASE("an IDX header that is wrong names file, place, expected and found") {
  const test::Folder folder;
  const std::string labels = idx_labels("\x01");
  std::string images = idx_images({1});
  images[2] = 0x0d;
  write_t10k(folder.path(), images, labels);
  CHECK_THAT(problem_of(folder.path()), has_text("t10k-images-idx3-ubyte: IDX type 0x0d not supported, expected 0x08"));
  images[2] = 8;
  images[3] = 1;
  write_t10k(folder.path(), images, labels);
  CHECK_THAT(problem_of(folder.path()), has_text("IDX rank 1 at byte offset 3, expected 3"));
  images[3] = 3;
  images[0] = 1;
  write_t10k(folder.path(), images, labels);
  CHECK_THAT(problem_of(folder.path()), has_text("begins with 0x01 0x00"));
  write_t10k(folder.path(), images.substr(0, 9), labels);
  CHECK_THAT(problem_of(folder.path()), has_text("9 bytes, expected a header of 16"));
}

TEST_CASE("an IDX payload that is short, long, or of a size that overflows is refused") {
  const test::Folder folder;
  const std::string images = idx_images({1}), labels = idx_labels("\x01");
  write_t10k(folder.path(), images.substr(0, images.size() - 1), labels);
  CHECK_THAT(problem_of(folder.path()), has_text("declares 784 bytes after byte offset 16, found 783"));
  write_t10k(folder.path(), images + "x", labels);
  CHECK_THAT(problem_of(folder.path()), has_text("declares 784 bytes after byte offset 16, found 785"));
  write_t10k(folder.path(), std::string("\0\0\x08\x03", 4) + std::string(12, '\xff'), labels);
  CHECK_THAT(problem_of(folder.path()), has_text("found 0"));
}

TEST_CASE("IDX counts that disagree and labels above 9 are refused") {
  const test::Folder folder;
  write_t10k(folder.path(), idx_images({1, 2}), idx_labels("\x01"));
  CHECK_THAT(problem_of(folder.path()), has_text("1 labels, expected 2"));
  write_t10k(folder.path(), idx_images({1, 2}), idx_labels("\x01\x0a"));
  CHECK_THAT(problem_of(folder.path()), has_text("label 10 in record 1, byte offset 9: expected 0 to 9"));
}

TEST_CASE("an archive that is cut, damaged, followed by bytes, or a bomb is refused") {
  const test::Folder folder;
  write_bytes(folder.path() / "t10k-labels-idx1-ubyte", idx_labels("\x01"));
  const auto with = [&](const std::string& bytes) {
    write_bytes(folder.path() / "t10k-images-idx3-ubyte.gz", bytes);
    return problem_of(folder.path());
  };
  const std::string packed = gzipped(idx_images({1}));
  for (const std::size_t length : {std::size_t{2}, std::size_t{9}, packed.size() / 2, packed.size() - 1})
    CHECK_THAT(with(packed.substr(0, length)), has_text("cut short after " + std::to_string(length) + " bytes"));
  CHECK_THAT(with(packed + "tail"), has_text("4 bytes follow the end of the archive"));
  std::string damaged = packed;
  damaged[packed.size() - 6] = static_cast<char>(damaged[packed.size() - 6] ^ 1);
  CHECK_THAT(with(damaged), has_text("incorrect data check"));
  CHECK_THAT(with(gzipped(std::string(40 << 20, '\0'))), has_text("decompresses to more than 200 times its size"));
  CHECK(with(packed).empty());
}

TEST_CASE("an unknown part of the files is refused with the words known") {
  const test::Folder folder;
  CHECK_THROWS_AS(data::load_mnist("mnist", folder.path(), "t20k"), InvalidInput);
  CHECK_THROWS_WITH(data::find_data_set("cifar10")->load({.folder = folder.path(), .files = "t10k"}),
                    has_text("files = t10k"));
}

TEST_CASE("a set that is not part of the program asks for its folder") {
  CHECK_THROWS_WITH(data::find_data_set("mnist")->load({}), has_text("no folder is named"));
}

TEST_CASE("the MNIST test images have the measured mean, deviation and division", "[needs-data]") {
  const auto folder = test::real_data("mnist");
  if (!folder) return;
  const data::ImageSet set = data::load_mnist("mnist", *folder, "t10k");
  CHECK(set.name == "mnist");
  CHECK(set.count == 10000);
  std::vector<std::uint32_t> rows(set.count);
  for (std::uint32_t row = 0; row < set.count; ++row) rows[row] = row;
  const data::Normalisation all = data::computed_normalisation(set, rows);
  CHECK_THAT(all.mean[0], WithinAbs(.1325146, 5e-8));
  CHECK_THAT(all.sd[0], WithinAbs(.3104802, 5e-8));
  const data::Split split = data::make_split(set, data::Rule::published, std::nullopt, 0);
  CHECK(split.train.size() == 8000);
  CHECK(split.test.size() == 2000);
  CHECK(std::vector<std::uint32_t>(split.train.begin(), split.train.begin() + 5) ==
        std::vector<std::uint32_t>{3568, 6888, 8821, 9467, 4810});
  std::vector<std::uint32_t> order = split.train;
  order.insert(order.end(), split.test.begin(), split.test.end());
  CHECK(test::rows_digest(order) == "8f2b669f66992ed7");
  CHECK_THROWS_WITH(data::load_mnist("fashion", *folder, "t10k"), has_text("of mnist, expected fashion"));
}

}  // namespace retrial::tests::idx_tests
