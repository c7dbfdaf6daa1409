// Values of the real photographs: the specification's section on data, measured with NumPy on the shared files.
#include "results/error.hpp"
#include "tests/workloads/data_folder.hpp"
#include "tests/workloads/folder.hpp"
#include "workloads/data/cifar.hpp"
#include "workloads/data/registry.hpp"

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

TEST_CASE("missing CIFAR-10 files end with 4, and the Python version is told apart") {
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

TEST_CASE("ten thousand real photographs have the measured labels, pixels and file digests", "[data]") {
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
