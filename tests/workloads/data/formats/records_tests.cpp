// Written files are read again by the loaders of the same formats.
#include "tests/workloads/data/files/data_folder.hpp"
#include "workloads/data/formats/cifar.hpp"
#include "workloads/data/formats/idx.hpp"
#include "workloads/data/formats/npy.hpp"
#include "workloads/data/formats/records.hpp"

namespace retrial::tests::records_tests {

using namespace retrial;

namespace {

data::ImageSet images(const data::Shape& shape) {
  data::ImageSet set{.name = "some", .count = 3, .shape = shape, .classes = 10, .labels = {7, 0, 9}};
  for (std::size_t i = 0; i < 3 * shape.pixels(); ++i) set.pixels.push_back(static_cast<std::uint8_t>(i * 37 % 256));
  return set;
}

void write(const test::Folder& folder, const std::vector<std::string>& names,
           const std::vector<data::RecordFile>& files) {
  REQUIRE(files.size() == names.size());
  for (std::size_t i = 0; i < files.size(); ++i) test::write_bytes(folder.path() / names[i], files[i].bytes);
}

void check_same(const data::ImageSet& got, const data::ImageSet& set) {
  CHECK(got.pixels == set.pixels);
  CHECK(got.labels == set.labels);
  CHECK(got.coarse == set.coarse);
}

}  // namespace

TEST_CASE("records of CIFAR-10 and CIFAR-100 are read again") {
  const test::Folder folder;
  data::ImageSet set = images({3, 32, 32});
  write(folder, {"test_batch.bin"}, data::records_of("cifar10", set));
  test::write_bytes(folder.path() / "data_batch_1.bin", test::cifar10_record(1, 5));
  data::ImageSet read = data::load_cifar10(folder.path());
  read.pixels.erase(read.pixels.begin(), read.pixels.begin() + 3072);
  read.labels.erase(read.labels.begin());
  check_same(read, set);

  set.coarse = {4, 19, 0};
  const auto fine = data::records_of("cifar100", set);
  write(folder, {"test.bin"}, fine);
  write(folder, {"train.bin"}, fine);
  read = data::load_cifar100(folder.path());
  read.pixels.resize(set.pixels.size());
  read.labels.resize(3);
  read.coarse.resize(3);
  check_same(read, set);
}

TEST_CASE("images written as IDX and as NPY are read again") {
  const test::Folder folder;
  const auto grey = images({1, 28, 28});
  for (const char* part : {"train", "t10k"}) {
    const std::string name(part);
    write(folder, {name + "-images-idx3-ubyte", name + "-labels-idx1-ubyte"}, data::records_of("mnist", grey));
  }
  data::ImageSet read = data::load_mnist("mnist", folder.path(), "", true);
  read.pixels.resize(grey.pixels.size());
  read.labels.resize(3);
  check_same(read, grey);

  const auto photos = images({3, 32, 32});
  write(folder, {"cifar10.1_v6_data.npy", "cifar10.1_v6_labels.npy"}, data::records_of("cifar10.1", photos));
  check_same(data::load_cifar10_1(folder.path()), photos);
}

TEST_CASE("digits are written a line an image, pixels, then label") {
  const auto files = data::records_of("digits", images({1, 2, 2}));
  REQUIRE(files.size() == 1);
  CHECK(files[0].bytes == "0,37,74,111,7\n148,185,222,3,0\n40,77,114,151,9\n");
  CHECK_THROWS_AS(data::records_of("unheard of", images({1, 2, 2})), std::logic_error);
}

}  // namespace retrial::tests::records_tests
